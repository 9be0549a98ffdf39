import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { call } from '../api/client.ts';
import { ApiProblem } from '../api/problem.ts';
import { Alert } from '../design/components/Alert.tsx';
import { Button } from '../design/components/Button.tsx';
import { Field } from '../design/components/Field.tsx';
import styles from '../portal/forms.module.css';
import { useProblemText } from '../session/problem-text.ts';

interface Registration {
  name: string;
  email: string;
  password: string;
  confirm: string;
}

/** contracts/fields.ts: password. */
const MIN_PASSWORD = 10;

export function Register({ email, onRegistered }: { email?: string; onRegistered: (token: string) => void }) {
  const { t, i18n } = useTranslation('customer');
  const { t: portal } = useTranslation('portal');
  const problemText = useProblemText();
  const form = useForm<Registration>({
    defaultValues: { name: '', email: email ?? '', password: '', confirm: '' },
  });
  const attempt = useMutation({
    mutationFn: ({ name, email: address, password }: Registration) =>
      call('POST /api/auth/customer/register', {
        body: { name, email: address, password, locale: i18n.language },
      }),
    onSuccess: ({ token }) => onRegistered(token),
    onError: (error) => {
      for (const { path, message } of error instanceof ApiProblem ? error.fields : []) {
        if (path in form.getValues()) form.setError(path as keyof Registration, { message });
      }
    },
  });
  const { errors } = form.formState;
  const text = (name: keyof Registration) => errors[name] && (errors[name].message || portal('required'));
  return (
    <form
      noValidate
      className={styles.form}
      onSubmit={form.handleSubmit((registration) => attempt.mutate(registration))}
    >
      {attempt.isError && (
        <Alert kind="wrong">
          {problemText(attempt.error, { failed: t('register.failed'), network: t('register.network') })}
        </Alert>
      )}
      <Field
        label={t('register.name')}
        autoComplete="name"
        required
        error={text('name')}
        {...form.register('name', { required: true })}
      />
      <Field
        label={t('register.email')}
        type="email"
        autoComplete="email"
        required
        hint={t('register.emailHint')}
        error={text('email')}
        {...form.register('email', { required: true, setValueAs: (value: string) => value.trim() })}
      />
      <Field
        label={t('register.password')}
        type="password"
        autoComplete="new-password"
        required
        hint={t('register.passwordHint', { count: MIN_PASSWORD })}
        error={text('password')}
        {...form.register('password', {
          required: true,
          minLength: { value: MIN_PASSWORD, message: t('register.passwordShort', { count: MIN_PASSWORD }) },
        })}
      />
      <Field
        label={t('register.confirm')}
        type="password"
        autoComplete="new-password"
        required
        error={text('confirm')}
        {...form.register('confirm', {
          required: true,
          validate: (value, { password }) => value === password || t('register.mismatch'),
        })}
      />
      <Button type="submit" look="accent" wide working={attempt.isPending && t('register.working')}>
        {t('register.submit')}
      </Button>
    </form>
  );
}
