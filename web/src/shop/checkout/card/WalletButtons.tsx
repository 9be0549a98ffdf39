import { ExpressCheckoutElement, useElements, useStripe } from '@stripe/react-stripe-js';
import type { StripeExpressCheckoutElementConfirmEvent } from '@stripe/stripe-js';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { emailProblem, typedText } from '../../../i18n/typed-text.ts';
import { currentDraft } from '../../../order/purchase/draft.ts';
import type { Payment } from './use-payment.ts';
import styles from './CardFields.module.css';

const OPTIONS = {
  buttonHeight: 52,
  emailRequired: true,
  billingAddressRequired: true,
  layout: { maxColumns: 2, maxRows: 2, overflow: 'never' },
} as const;

/** Apple Pay and Google Pay where available; name and address come with the payment. */
export function WalletButtons({ payment }: { payment: Payment }) {
  const { t } = useTranslation('checkout');
  const stripe = useStripe();
  const elements = useElements();
  const [isOffered, setIsOffered] = useState(false);

  const confirm = async ({ billingDetails, paymentFailed }: StripeExpressCheckoutElementConfirmEvent) => {
    if (!stripe || !elements) return paymentFailed({ reason: 'fail' });
    const draft = currentDraft();
    // A typed address wins over the wallet's.
    const email = emailProblem(draft.email) ? (billingDetails?.email ?? '') : typedText(draft.email);
    const name = typedText(draft.name) || billingDetails?.name || email;
    const { isPaid } = await payment.pay({ customerName: name, customerEmail: email }, { stripe, elements });
    if (!isPaid) paymentFailed({ reason: 'fail' });
  };
  return (
    <div className={isOffered ? styles.wallets : styles.noWallets}>
      <ExpressCheckoutElement
        options={OPTIONS}
        onReady={({ availablePaymentMethods }) => setIsOffered(Boolean(availablePaymentMethods))}
        onConfirm={(event) => void confirm(event)}
      />
      {isOffered && <p className={`small quiet ${styles.or}`}>{t('card.or')}</p>}
    </div>
  );
}
