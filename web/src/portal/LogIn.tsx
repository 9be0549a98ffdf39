import type { Role } from '@arboleda/contracts/roles.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { call } from '../api/client.ts';
import { isProblem } from '../api/problem.ts';
import { Alert } from '../design/components/Alert.tsx';
import { Button } from '../design/components/Button.tsx';
import { Field } from '../design/components/Field.tsx';
import { useProblemText } from '../session/problem-text.ts';
import { useSessionEnd } from '../session/session.ts';
import styles from './forms.module.css';

interface Credentials {
  email: string;
  password: string;
  code?: string;
}

const LOG_IN: Record<Role, (credentials: Credentials) => Promise<{ token: string }>> = {
  customer: ({ email, password }) => call('POST /api/auth/customer/login', { body: { email, password } }),
  admin: (body) => call('POST /api/auth/admin/login', { body }),
  worker: ({ email, password }) => call('POST /api/auth/worker/login', { body: { email, password } }),
};

interface Props {
  role: Role;
  /** Prefills the address, and reports what is typed. */
  email?: string;
  onEmail?: (email: string) => void;
  onLogIn: (token: string) => void;
}

/** For workers the field labelled worker id is sent as the email: product spec section 5. */
export function LogIn({ role, email = '', onEmail, onLogIn }: Props) {
  const { t } = useTranslation('portal');
  const problemText = useProblemText();
  const end = useSessionEnd(role);
  /** Address of the account that requires a second factor. */
  const [codeFor, setCodeFor] = useState<string>();
  const form = useForm<Credentials>({ defaultValues: { email, password: '' }, shouldUnregister: true });
  const attempt = useMutation({
    mutationFn: LOG_IN[role],
    onSuccess: ({ token }) => onLogIn(token),
    onError: (error, credentials) => {
      if (isProblem(error, 'second-factor-required')) setCodeFor(credentials.email);
      if (isProblem(error, 'second-factor-invalid')) form.setFocus('code', { shouldSelect: true });
    },
  });
  const typed = useWatch({ control: form.control, name: 'email' }).trim();
  const needsCode = codeFor !== undefined && codeFor === typed;
  const { errors, isSubmitting } = form.formState;
  const texts = { failed: t('logIn.failed'), network: t('logIn.network') };
  const wrongCode = isProblem(attempt.error, 'second-factor-invalid');
  const asksForCode = isProblem(attempt.error, 'second-factor-required');
  return (
    <form
      noValidate
      className={styles.form}
      onSubmit={form.handleSubmit((credentials) => attempt.mutate(credentials))}
    >
      {end && attempt.isIdle && <Alert kind="note">{t(`ended.${end}`)}</Alert>}
      {attempt.isError && !wrongCode && !asksForCode && (
        <Alert kind="wrong">{problemText(attempt.error, texts)}</Alert>
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
      {needsCode && (
        <Field
          label={t('logIn.code')}
          hint={t('logIn.codeHint')}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          // The field appears on request, so focusing it is expected.
          autoFocus
          required
          error={errors.code ? t('required') : wrongCode && problemText(attempt.error, texts)}
          {...form.register('code', { required: true, setValueAs: (value: string) => value.trim() })}
        />
      )}
      <Button
        type="submit"
        look="accent"
        size={role === 'worker' ? 'large' : 'normal'}
        wide
        working={(isSubmitting || attempt.isPending) && t('logIn.working')}
      >
        {t('logIn.submit')}
      </Button>
      <p className={styles.aside}>
        <Link to={`/forgot-password?role=${role}`} state={{ email: typed }}>
          {t('logIn.forgot')}
        </Link>
      </p>
    </form>
  );
}
