import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { call } from '../api/client.ts';
import { ApiProblem, isProblem } from '../api/problem.ts';
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

/** Mirrors the contract; importing its schema would triple the size of this page. */
export const MIN_PASSWORD = 10;

interface Props {
  email?: string;
  onEmail?: (email: string) => void;
  onRegistered: (token: string) => void;
  onLogInInstead: () => void;
}

export function Register({ email = '', onEmail, onRegistered, onLogInInstead }: Props) {
  const { t, i18n } = useTranslation('customer');
  const { t: portal } = useTranslation('portal');
  const problemText = useProblemText();
  const form = useForm<Registration>({
    defaultValues: { name: '', email, password: '', confirm: '' },
  });
  const attempt = useMutation({
    mutationFn: ({ name, email: address, password }: Registration) =>
      call('POST /api/auth/customer/register', {
        body: { name, email: address, password, locale: i18n.language },
      }),
    onSuccess: ({ token }) => onRegistered(token),
    onError: (error) => {
      const fields = error instanceof ApiProblem ? error.fields : [];
      for (const [at, { path, message }] of fields.entries()) {
        if (path in form.getValues()) {
          form.setError(path as keyof Registration, { message }, { shouldFocus: at === 0 });
        }
      }
    },
  });
  const { errors, isSubmitting } = form.formState;
  const text = (name: keyof Registration) => errors[name] && (errors[name].message || portal('required'));
  return (
    <form
      noValidate
      className={styles.form}
      onSubmit={form.handleSubmit((registration) => attempt.mutate(registration))}
    >
      {attempt.isError && (
        <Alert
          kind="wrong"
          action={
            isProblem(attempt.error, 'email-taken') && (
              <Button onClick={onLogInInstead}>{portal('logIn.submit')}</Button>
            )
          }
        >
          {problemText(attempt.error, {
            failed: t('register.failed'),
            network: t('register.network'),
            marked: Object.keys(form.getValues()),
          })}
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
        hint={!errors.email && t('register.emailHint')}
        error={text('email')}
        {...form.register('email', {
          required: true,
          setValueAs: (value: string) => value.trim(),
          onChange: (event: { target: { value: string } }) => onEmail?.(event.target.value),
        })}
      />
      <Field
        label={t('register.password')}
        type="password"
        autoComplete="new-password"
        required
        hint={!errors.password && t('register.passwordHint', { count: MIN_PASSWORD })}
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
      <Button
        type="submit"
        look="accent"
        wide
        working={(isSubmitting || attempt.isPending) && t('register.working')}
      >
        {t('register.submit')}
      </Button>
    </form>
  );
}
