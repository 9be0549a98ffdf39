import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { showFieldProblems } from '../../account/field-problems.ts';
import { isProblem } from '../../api/problem.ts';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { Field } from '../../design/components/Field.tsx';
import type { OpenSession } from '../../portal/Gate.tsx';
import { useProblemText } from '../../session/problem-text.ts';
import styles from './AccountPage.module.css';
import { Section } from './Section.tsx';

/** Requests another address, which takes effect when its emailed link is opened. */
export function EmailChange({ session }: { session: OpenSession<'customer'> }) {
  const { t } = useTranslation('account');
  const { t: portal } = useTranslation('portal');
  const problemText = useProblemText();
  const form = useForm({ defaultValues: { email: '', currentPassword: '' } });
  const asking = useMutation({
    mutationFn: (wish: { email: string; currentPassword: string }) =>
      session.call('PUT /api/auth/me/email', { body: wish }),
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
      <form noValidate className={styles.form} onSubmit={form.handleSubmit((wish) => asking.mutate(wish))}>
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
