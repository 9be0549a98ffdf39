import type { Role } from '@arboleda/contracts/roles.ts';
import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { call } from '../api/client.ts';
import { Alert } from '../design/components/Alert.tsx';
import { Button } from '../design/components/Button.tsx';
import { Field } from '../design/components/Field.tsx';
import { useProblemText } from '../session/problem-text.ts';
import styles from './forms.module.css';

interface Credentials {
  email: string;
  password: string;
}

const LOG_IN: Record<Role, (credentials: Credentials) => Promise<{ token: string }>> = {
  customer: (body) => call('POST /api/auth/customer/login', { body }),
  admin: (body) => call('POST /api/auth/admin/login', { body }),
  worker: (body) => call('POST /api/auth/worker/login', { body }),
};

interface Props {
  role: Role;
  /** What is known of the address already, and who wants to know what is typed. */
  email?: string;
  onEmail?: (email: string) => void;
  onLogIn: (token: string) => void;
}

/** For workers the field labelled worker id is sent as the email: product spec section 5. */
export function LogIn({ role, email = '', onEmail, onLogIn }: Props) {
  const { t } = useTranslation('portal');
  const problemText = useProblemText();
  const form = useForm<Credentials>({ defaultValues: { email, password: '' } });
  const attempt = useMutation({ mutationFn: LOG_IN[role], onSuccess: ({ token }) => onLogIn(token) });
  const { errors, isSubmitting } = form.formState;
  return (
    <form
      noValidate
      className={styles.form}
      onSubmit={form.handleSubmit((credentials) => attempt.mutate(credentials))}
    >
      {attempt.isError && (
        <Alert kind="wrong">
          {problemText(attempt.error, { failed: t('logIn.failed'), network: t('logIn.network') })}
        </Alert>
      )}
      <Field
        label={role === 'worker' ? t('logIn.workerId') : t('logIn.email')}
        type={role === 'worker' ? 'text' : 'email'}
        autoComplete="username"
        autoCapitalize="none"
        required
        error={errors.email && t('required')}
        {...form.register('email', {
          required: true,
          setValueAs: (value: string) => value.trim(),
          onChange: (event: { target: { value: string } }) => onEmail?.(event.target.value),
        })}
      />
      <Field
        label={t('logIn.password')}
        type="password"
        autoComplete="current-password"
        required
        error={errors.password && t('required')}
        {...form.register('password', { required: true })}
      />
      <Button
        type="submit"
        look="accent"
        size={role === 'worker' ? 'large' : 'normal'}
        wide
        working={(isSubmitting || attempt.isPending) && t('logIn.working')}
      >
        {t('logIn.submit')}
      </Button>
    </form>
  );
}
