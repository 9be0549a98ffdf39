import { PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js';
import { useState } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { Field } from '../../design/components/Field.tsx';
import { useFormats } from '../../i18n/format.ts';
import { changeDraft } from './draft.ts';
import { emailProblem, type EmailProblem } from './email-problem.ts';
import type { Buyer, PaymentFormProps } from './PaymentForm.tsx';
import { countProblem } from './selection.ts';
import { usePayment } from './use-payment.ts';
import styles from './PaymentFields.module.css';

interface Props extends PaymentFormProps {
  buyer: UseFormReturn<Buyer>;
}

export function PaymentFields({ selection, total, quote, onCancel, buyer: form }: Props) {
  const { t } = useTranslation('checkout');
  const formats = useFormats();
  const stripe = useStripe();
  const elements = useElements();
  const [cardReady, setCardReady] = useState(false);
  const { errors } = form.formState;
  const buyer = useWatch({ control: form.control });
  const payment = usePayment({ stripe, elements, selection, total, quote });

  const submit = form.handleSubmit(async (typed) => {
    const fields = await payment.pay({ name: typed.name.trim(), email: typed.email.trim() });
    if (fields.includes('customerEmail'))
      form.setError('email', { message: 'emailWrong' }, { shouldFocus: true });
    if (fields.includes('customerName'))
      form.setError('name', { message: 'nameMissing' }, { shouldFocus: true });
  });
  const missing = !buyer.name?.trim() || !buyer.email?.trim() || !stripe || Boolean(countProblem(selection));
  const keep = () => changeDraft(form.getValues());

  return (
    <form className={styles.form} noValidate onSubmit={(event) => void submit(event)} onChange={keep}>
      <div>
        <h2 className={styles.title}>{t('panel.pay')}</h2>
        <p className="small quiet">{t('panel.payHint')}</p>
      </div>
      <div className={styles.buyer} role="group" aria-label={t('panel.details')}>
        <Field
          label={t('panel.name')}
          autoComplete="name"
          maxLength={120}
          error={errors.name && t('panel.nameMissing')}
          {...form.register('name', { validate: (typed) => typed.trim() !== '' })}
        />
        <Field
          label={t('panel.email')}
          hint={t('panel.emailHint')}
          type="email"
          inputMode="email"
          autoComplete="email"
          maxLength={254}
          error={errors.email && t(`panel.${errors.email.message as EmailProblem}`)}
          {...form.register('email', { validate: (typed) => emailProblem(typed) ?? true })}
        />
      </div>
      <div className={styles.card} role="group" aria-label={t('panel.card')} aria-busy={!cardReady}>
        {!cardReady && <p className={`small quiet ${styles.cardLoading}`}>{t('panel.loading')}</p>}
        {stripe && (
          <PaymentElement
            options={{ layout: 'tabs', fields: { billingDetails: { name: 'never', email: 'never' } } }}
            onReady={() => setCardReady(true)}
          />
        )}
      </div>
      {payment.problem && <Alert kind="wrong">{payment.problem}</Alert>}
      <div className={styles.actions}>
        <Button look="text" onClick={onCancel}>
          {t('panel.cancel')}
        </Button>
        <Button
          type="submit"
          look="accent"
          size="large"
          className={styles.pay}
          disabled={missing}
          working={payment.isWorking && t('panel.working')}
        >
          {t('panel.submit', {
            count: total.trees,
            amount: formats.money(total.amountMinor, total.currency),
          })}
        </Button>
      </div>
    </form>
  );
}
