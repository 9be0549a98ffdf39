import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { NewPassword, type NewPasswordFields } from '../../account/NewPassword.tsx';
import { showFieldProblems } from '../../account/field-problems.ts';
import { isProblem } from '../../api/problem.ts';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { ConfirmDialog } from '../../design/components/ConfirmDialog.tsx';
import { Field } from '../../design/components/Field.tsx';
import type { OpenSession } from '../../portal/Gate.tsx';
import { useProblemText } from '../../session/problem-text.ts';
import type { Invitation } from '../Welcome.tsx';
import styles from './AccountPage.module.css';
import { Section } from './Section.tsx';

/** Requests another address, which takes effect when its emailed link is opened. */
export function EmailChange({ session }: { session: OpenSession<'customer'> }) {
  const { t } = useTranslation('account');
  const { t: portal } = useTranslation('portal');
  const problemText = useProblemText();
  const form = useForm({ defaultValues: { email: '', currentPassword: '' } });
  const asking = useMutation({
    mutationFn: (values: { email: string; currentPassword: string }) =>
      session.call('PUT /api/auth/me/email', { body: values }),
    onSuccess: () => form.reset(),
    onError: (error) => {
      if (isProblem(error, 'email-taken'))
        form.setError('email', { message: problemText(error, failed) }, { shouldFocus: true });
      else showFieldProblems(form, error);
    },
  });
  const failed = { failed: t('failed'), network: t('network') };
  const { errors } = form.formState;
  const text = (name: 'email' | 'currentPassword') =>
    errors[name] && (errors[name].message || portal('required'));
  return (
    <Section title={t('email.title')} text={t('email.text', { email: session.person.email })}>
      <form
        noValidate
        className={styles.form}
        onSubmit={form.handleSubmit((values) => asking.mutate(values))}
      >
        <Field
          label={t('email.new')}
          type="email"
          autoComplete="email"
          required
          error={text('email')}
          {...form.register('email', { required: true, setValueAs: (value: string) => value.trim() })}
        />
        <Field
          label={t('password.current')}
          type="password"
          autoComplete="current-password"
          required
          error={text('currentPassword')}
          {...form.register('currentPassword', { required: true })}
        />
        <Button type="submit" working={asking.isPending && t('saving')}>
          {t('email.submit')}
        </Button>
        {asking.isSuccess && <Alert kind="good">{t('email.sent', { email: asking.variables.email })}</Alert>}
        {asking.isError && !isProblem(asking.error, 'email-taken') && (
          <Alert kind="wrong">{problemText(asking.error, failed)}</Alert>
        )}
      </form>
    </Section>
  );
}

/** Changes the password: this browser stays logged in, all other sessions end. */
export function PasswordChange({ session }: { session: OpenSession<'customer'> }) {
  const { t } = useTranslation('account');
  const { t: portal } = useTranslation('portal');
  const problemText = useProblemText();
  const form = useForm<NewPasswordFields>({
    defaultValues: { currentPassword: '', password: '', confirm: '' },
  });
  const changing = useMutation({
    mutationFn: ({ currentPassword, password: newPassword }: NewPasswordFields) =>
      session.call('PUT /api/auth/me/password', { body: { currentPassword, newPassword } }),
    onSuccess: ({ token }) => {
      session.logIn(token);
      form.reset();
    },
    onError: (error) => showFieldProblems(form, error, { newPassword: 'password' }),
  });
  const { errors } = form.formState;
  return (
    <Section title={t('password.title')} text={t('password.text')}>
      <form
        noValidate
        className={styles.form}
        onSubmit={form.handleSubmit((values) => changing.mutate(values))}
      >
        <Field
          label={t('password.current')}
          type="password"
          autoComplete="current-password"
          required
          error={errors.currentPassword && (errors.currentPassword.message || portal('required'))}
          {...form.register('currentPassword', { required: true })}
        />
        <NewPassword form={form} />
        <Button type="submit" working={changing.isPending && t('saving')}>
          {t('password.submit')}
        </Button>
        {changing.isSuccess && <Alert kind="good">{t('password.changed')}</Alert>}
        {changing.isError && (
          <Alert kind="wrong">
            {problemText(changing.error, { failed: t('failed'), network: t('network') })}
          </Alert>
        )}
      </form>
    </Section>
  );
}

/** Ends every session, for a lost phone or a borrowed computer. */
export function Sessions({ session }: { session: OpenSession<'customer'> }) {
  const { t } = useTranslation('account');
  const problemText = useProblemText();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const ending = useMutation({
    mutationFn: () => session.call('POST /api/auth/me/log-out-everywhere'),
    onSuccess: () => {
      session.logOut();
      void navigate('/customer-portal', { state: { notice: 'loggedOut' } satisfies Invitation });
    },
  });
  return (
    <Section title={t('sessions.title')} text={t('sessions.text')}>
      <Button onClick={() => setAsking(true)}>{t('sessions.submit')}</Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t('sessions.ask')}
        confirm={t('sessions.submit')}
        working={ending.isPending && t('sessions.working')}
        onConfirm={() => ending.mutate()}
        error={ending.isError && problemText(ending.error, { failed: t('failed'), network: t('network') })}
      >
        <p>{t('sessions.will')}</p>
      </ConfirmDialog>
    </Section>
  );
}
