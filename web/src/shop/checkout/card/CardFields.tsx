import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js';
import sans from '@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2?url';
import { toStripeAmount } from '@arboleda/contracts/money.ts';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Language } from '../../../i18n/languages.ts';
import { CardTrouble } from './CardTrouble.tsx';
import type { Total } from '../selection.ts';
import { type CardLibrary, useCardAppearance } from './card-library.ts';
import type { Payment, PaymentElements } from './use-payment.ts';
import { WalletButtons } from './WalletButtons.tsx';
import styles from '../PaymentForm.module.css';

interface Props {
  language: Language;
  library: CardLibrary;
  total: Total | undefined;
  payment: Payment;
  /** Paying by card is impossible: invalid count, or amount above the card limit. */
  unpayable: boolean;
  /** Wallets pay at once, so they wait until everything else is filled in. */
  withWallets: boolean;
  onElements: (elements: PaymentElements | undefined) => void;
  onTransfer: (() => void) | undefined;
  children: ReactNode;
}

/** Wallets, then the card, in Stripe's deferred mode: the intent is created only when the button is pressed. */
export function CardFields({
  language,
  library,
  total,
  payment,
  unpayable,
  withWallets,
  onElements,
  onTransfer,
  children,
}: Props) {
  const { t } = useTranslation('checkout');
  const appearance = useCardAppearance();
  const [frameFailed, setFrameFailed] = useState(false);
  const amountMinor = total?.amountMinor ?? 0;
  const currency = total?.currency ?? '';
  const options = useMemo(
    () => ({
      mode: 'payment' as const,
      amount: currency && !unpayable ? toStripeAmount(amountMinor, currency) : 1,
      currency: currency.toLowerCase() || 'usd',
      locale: language,
      appearance,
      fonts: [
        { family: 'Source Sans 3', src: `url(${new URL(sans, window.location.href)})`, weight: '200 900' },
      ],
    }),
    [amountMinor, currency, unpayable, language, appearance],
  );
  const stripe = library.data ?? null;
  return (
    <>
      {stripe && total && !unpayable && withWallets && (
        <Elements key={`wallets-${language}`} stripe={stripe} options={options}>
          <WalletButtons payment={payment} />
        </Elements>
      )}
      {children}
      {!library.isError && !frameFailed && (
        <Elements key={language} stripe={stripe} options={options}>
          <Card
            onElements={onElements}
            onFailed={() => setFrameFailed(true)}
            label={t('panel.card')}
            loading={t('panel.loading')}
          />
        </Elements>
      )}
      <CardTrouble library={library} frameFailed={frameFailed} onTransfer={onTransfer} />
    </>
  );
}

interface CardProps {
  label: string;
  loading: string;
  onElements: (elements: PaymentElements | undefined) => void;
  onFailed: () => void;
}

function Card({ label, loading, onElements, onFailed }: CardProps) {
  const stripe = useStripe();
  const elements = useElements();
  const [isReady, setIsReady] = useState(false);
  useEffect(() => {
    onElements(stripe && elements ? { stripe, elements } : undefined);
    return () => onElements(undefined);
  }, [stripe, elements, onElements]);
  return (
    <div className={styles.card} role="group" aria-label={label} aria-busy={!isReady}>
      {!isReady && <p className={`small quiet ${styles.cardLoading}`}>{loading}</p>}
      {stripe && (
        <PaymentElement
          options={{
            layout: 'tabs',
            fields: { billingDetails: { name: 'never', email: 'never' } },
            // Apple Pay and Google Pay have their buttons above.
            wallets: { applePay: 'never', googlePay: 'never' },
          }}
          onReady={() => setIsReady(true)}
          onLoadError={onFailed}
        />
      )}
    </div>
  );
}
