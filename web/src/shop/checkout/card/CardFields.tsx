import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js';
import sans from '@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2?url';
import { toStripeAmount } from '@arboleda/contracts/money.ts';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { customerOf } from '../../../order/purchase/buyer.ts';
import { CardTrouble } from './CardTrouble.tsx';
import type { MethodPart } from '../MethodChoice.tsx';
import type { PricedSelection, Total } from '../selection.ts';
import { useCardAppearance, useCardLibrary, usePaymentLanguage } from './card-library.ts';
import { type PaymentElements, usePayment } from './use-payment.ts';
import { WalletButtons } from './WalletButtons.tsx';
import styles from './CardFields.module.css';

/** Paying by card. Stripe is loaded once the card was chosen, and stays while another method is. */
export function useCard(priced: PricedSelection, isChosen: boolean, onDone: (orderToken: string) => void) {
  const { t } = useTranslation('checkout');
  const [elements, setElements] = useState<PaymentElements>();
  const [isWanted, setIsWanted] = useState(isChosen);
  if (isChosen && !isWanted) setIsWanted(true);
  const [isCharging, setIsCharging] = useState(false);
  const language = usePaymentLanguage(isCharging);
  const library = useCardLibrary(language, isWanted);
  const payment = usePayment(library.data, priced, onDone);
  const { isWorking, problem, setProblem } = payment;
  if (isWorking !== isCharging) setIsCharging(isWorking);
  const part: MethodPart = {
    missing: elements ? undefined : 'card',
    isWorking: isCharging,
    problem,
    setProblem,
    pay: async (buyer) => {
      const wrong = !library.data
        ? t('errors.notLoaded')
        : !elements?.elements.getElement('payment')
          ? t('errors.noCard')
          : undefined;
      if (wrong) setProblem({ text: wrong });
      if (wrong || !elements) return [];
      return (await payment.pay(customerOf(buyer), elements)).fields;
    },
  };
  return { ...part, isWanted, language, library, payment, setElements };
}

interface Props {
  card: ReturnType<typeof useCard>;
  isChosen: boolean;
  total: Total | undefined;
  /** Paying by card is impossible: invalid count, or amount above the card limit. */
  unpayable: boolean;
  /** Wallets pay at once, so they wait until everything else is filled in. */
  withWallets: boolean;
  onTransfer: (() => void) | undefined;
  children: ReactNode;
}

/** Wallets, then the card, in Stripe's deferred mode: the intent is created only when the button is pressed. */
export function CardFields({ card, isChosen, total, unpayable, withWallets, onTransfer, children }: Props) {
  const { t } = useTranslation('checkout');
  const { language, library, payment, setElements } = card;
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
    <div hidden={!isChosen} className={styles.part}>
      {stripe && total && !unpayable && withWallets && (
        <Elements key={`wallets-${language}`} stripe={stripe} options={options}>
          <WalletButtons payment={payment} />
        </Elements>
      )}
      {children}
      {!library.isError && !frameFailed && (
        <Elements key={language} stripe={stripe} options={options}>
          <Card
            onElements={setElements}
            onFailed={() => setFrameFailed(true)}
            label={t('panel.card')}
            loading={t('panel.loading')}
          />
        </Elements>
      )}
      <CardTrouble library={library} frameFailed={frameFailed} onTransfer={onTransfer} />
    </div>
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
