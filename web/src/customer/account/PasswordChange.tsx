import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { showFieldProblems } from '../../account/field-problems.ts';
import { NewPassword, type NewPasswordFields } from '../../account/NewPassword.tsx';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { Field } from '../../design/components/Field.tsx';
import type { OpenSession } from '../../portal/Gate.tsx';
import { useProblemText } from '../../session/problem-text.ts';
import styles from './AccountPage.module.css';
import { Section } from './Section.tsx';

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
      <form noValidate className={styles.form} onSubmit={form.handleSubmit((wish) => changing.mutate(wish))}>
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
