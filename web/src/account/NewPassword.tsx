import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Field } from '../design/components/Field.tsx';

/** Mirrors the contract; importing its schema would triple the size of a page. */
const MIN_PASSWORD = 10;

export interface NewPasswordFields {
  currentPassword: string;
  password: string;
  confirm: string;
}

/** Asks for a new password twice and validates it before sending. */
export function NewPassword({ form }: { form: UseFormReturn<NewPasswordFields> }) {
  const { t } = useTranslation('account');
  const { t: portal } = useTranslation('portal');
  const { errors } = form.formState;
  const text = (name: keyof NewPasswordFields) =>
    errors[name] && (errors[name].message || portal('required'));
  return (
    <>
      <Field
        label={t('password.new')}
        type="password"
        autoComplete="new-password"
        required
        hint={!errors.password && t('password.hint', { count: MIN_PASSWORD })}
        error={text('password')}
        {...form.register('password', {
          required: true,
          minLength: { value: MIN_PASSWORD, message: t('password.short', { count: MIN_PASSWORD }) },
        })}
      />
      <Field
        label={t('password.confirm')}
        type="password"
        autoComplete="new-password"
        required
        error={text('confirm')}
        {...form.register('confirm', {
          required: true,
          validate: (value, { password }) => value === password || t('password.mismatch'),
        })}
      />
    </>
  );
}
