import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Field } from '../../design/components/Field.tsx';
import { type EmailProblem, emailProblem, typedText } from '../../i18n/typed-text.ts';
import type { BuyerForm } from '../../order/purchase/buyer.ts';
import styles from './PaymentForm.module.css';

interface Props {
  form: UseFormReturn<BuyerForm>;
  /** Adds a phone number, because a transfer may need a call. */
  withPhone?: boolean;
}

export function BuyerFields({ form, withPhone = false }: Props) {
  const { t } = useTranslation('checkout');
  const { errors } = form.formState;
  return (
    <div className={styles.buyer} role="group" aria-label={t('panel.details')}>
      <Field
        label={t('panel.name')}
        autoComplete="name"
        dir="auto"
        maxLength={120}
        error={errors.name && (errors.name.message || t('panel.nameMissing'))}
        {...form.register('name', { validate: (typed) => typedText(typed) !== '' })}
      />
      <Field
        label={t('panel.email')}
        hint={t('panel.emailHint')}
        type="email"
        inputMode="email"
        autoComplete="email"
        dir="ltr"
        maxLength={254}
        error={errors.email && emailWords(errors.email.message)}
        {...form.register('email', { validate: (typed) => emailProblem(typed) ?? true })}
      />
      {withPhone && (
        <Field
          label={t('panel.phone')}
          note={t('panel.optional')}
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          dir="ltr"
          maxLength={40}
          error={errors.phone?.message}
          {...form.register('phone')}
        />
      )}
    </div>
  );

  /** Message of an i18n key, or the server's sentence. */
  function emailWords(message = ''): string {
    return /^email\w+$/.test(message) ? t(`panel.${message as EmailProblem}`) : message;
  }
}
