import { useEffect, useState } from 'react';
import { useForm, type UseFormReturn, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { ProblemField } from '../../api/problem.ts';
import { Field } from '../../design/components/Field.tsx';
import { type EmailProblem, emailProblem, typedText } from '../../i18n/typed-text.ts';
import { type BuyerForm, buyerIn, SENT_AS } from '../../order/purchase/buyer.ts';
import { currentDraft } from '../../order/purchase/draft.ts';
import { useSession } from '../../session/session.ts';
import styles from './BuyerFields.module.css';

const BUYER_FIELDS = Object.keys(SENT_AS) as (keyof BuyerForm)[];

/** What is asked of the buyer whatever the method, begun with what was typed before. */
export function useBuyer() {
  const { t } = useTranslation('checkout');
  const [defaultValues] = useState(() => buyerIn(currentDraft()));
  const form = useForm<BuyerForm>({ defaultValues, mode: 'onTouched' });
  useFillIn(form);
  const { name = '', email = '' } = useWatch({ control: form.control });
  return {
    form,
    typed: { name, email },
    /** Marks the fields that the server refused, and moves the focus to the first. */
    refuse: (fields: readonly ProblemField[]) => {
      for (const { path, message } of fields) {
        const field = BUYER_FIELDS.find((one) => SENT_AS[one] === path);
        if (field) form.setError(field, { message: field === 'email' ? t('panel.emailWrong') : message });
      }
      const first = BUYER_FIELDS.find((one) => form.getFieldState(one).error);
      if (fields.length > 0 && first) form.setFocus(first);
    },
  };
}

/** Fills in name and email of a customer who is logged in, unless something was typed. */
function useFillIn({ getValues, setValue }: UseFormReturn<BuyerForm>): void {
  const session = useSession('customer');
  const person = session.state === 'in' ? session.person : undefined;
  useEffect(() => {
    if (!person) return;
    if (!getValues('name')) setValue('name', person.name);
    if (!getValues('email')) setValue('email', person.email);
  }, [person, getValues, setValue]);
}

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
