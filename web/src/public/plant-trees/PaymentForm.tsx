import { Elements } from '@stripe/react-stripe-js';
import sans from '@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2?url';
import { toStripeAmount } from '@arboleda/contracts/money.ts';
import { useMemo } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { asLanguage } from '../../i18n/languages.ts';
import { currentDraft } from './draft.ts';
import { PaymentFields } from './PaymentFields.tsx';
import type { Selection, Total } from './selection.ts';
import { useCardAppearance } from './use-card-appearance.ts';
import { useCardLibrary } from './use-card-library.ts';

export interface Buyer {
  name: string;
  email: string;
}

export interface PaymentFormProps {
  selection: Selection;
  total: Total;
  quote: string | undefined;
  onCancel: () => void;
}

/** Card payment in Stripe's deferred mode: the intent is made only when the button is pressed. */
export function PaymentForm(props: PaymentFormProps) {
  const { t, i18n } = useTranslation('checkout');
  const language = asLanguage(i18n.language) ?? 'en';
  const { data: stripe, isError, refetch } = useCardLibrary(language);
  const appearance = useCardAppearance();
  // Here, above what starts anew with another language: what was typed stays.
  const { name, email } = currentDraft();
  const buyer = useForm<Buyer>({ defaultValues: { name, email }, mode: 'onTouched' });
  const { amountMinor, currency } = props.total;
  const options = useMemo(
    () => ({
      mode: 'payment' as const,
      amount: toStripeAmount(amountMinor, currency),
      currency: currency.toLowerCase(),
      locale: language,
      appearance,
      fonts: [
        { family: 'Source Sans 3', src: `url(${new URL(sans, window.location.href)})`, weight: '200 900' },
      ],
    }),
    [amountMinor, currency, language, appearance],
  );
  return (
    <>
      {isError && (
        <Alert kind="wrong" action={<Button onClick={() => void refetch()}>{t('again')}</Button>}>
          {t('errors.library')}
        </Alert>
      )}
      <Elements key={language} stripe={stripe ?? null} options={options}>
        <PaymentFields {...props} buyer={buyer} />
      </Elements>
    </>
  );
}
