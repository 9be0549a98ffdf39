import type { Role } from '@arboleda/contracts/roles.ts';
import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useLocation, useSearchParams } from 'react-router-dom';
import { call } from '../api/client.ts';
import { Alert } from '../design/components/Alert.tsx';
import { Button, ButtonLink } from '../design/components/Button.tsx';
import { Field } from '../design/components/Field.tsx';
import forms from '../portal/forms.module.css';
import { useProblemText } from '../session/problem-text.ts';
import styles from './account.module.css';
import { AccountScreen } from './AccountScreen.tsx';
import { PORTAL_OF, roleOf } from './roles.ts';

/** `/forgot-password?role=…`: emails a link, and never reveals whether the account exists. */
export function ForgotPasswordPage() {
  const { t } = useTranslation('account');
  const [query] = useSearchParams();
  const role = roleOf(query.get('role'));
  return (
    <AccountScreen
      title={t('forgot.title')}
      lead={t(role === 'worker' ? 'forgot.leadWorker' : 'forgot.lead')}
    >
      <Form role={role} />
    </AccountScreen>
  );
}

function Form({ role }: { role: Role }) {
  const { t } = useTranslation('account');
  const { t: portal } = useTranslation('portal');
  const problemText = useProblemText();
  const known = (useLocation().state as { email?: string } | null)?.email ?? '';
  const form = useForm({ defaultValues: { email: known } });
  const asking = useMutation({
    mutationFn: ({ email }: { email: string }) =>
      call('POST /api/auth/{role}/forgot-password', { params: { role }, body: { email } }),
  });
  const backToLogIn = <ButtonLink to={PORTAL_OF[role]}>{t('forgot.back')}</ButtonLink>;
  if (asking.isSuccess) {
    return (
      <div className={styles.said}>
        <Alert kind="good">
          <p>{t('forgot.sent', { email: asking.variables.email })}</p>
          <p>{t('forgot.sentNext')}</p>
        </Alert>
        <div className={styles.actions}>
          {backToLogIn}
          <Button look="text" onClick={() => asking.reset()}>
            {t('forgot.another')}
          </Button>
        </div>
      </div>
    );
  }
  return (
    <form noValidate className={forms.form} onSubmit={form.handleSubmit((values) => asking.mutate(values))}>
      {asking.isError && (
        <Alert kind="wrong">
          {problemText(asking.error, { failed: t('forgot.failed'), network: t('network') })}
        </Alert>
      )}
      <Field
        label={role === 'worker' ? portal('logIn.workerId') : portal('logIn.email')}
        type={role === 'worker' ? 'text' : 'email'}
        autoComplete="username"
        autoCapitalize="none"
        required
        error={form.formState.errors.email && portal('required')}
        {...form.register('email', { required: true, setValueAs: (value: string) => value.trim() })}
      />
      <Button type="submit" look="accent" wide working={asking.isPending && t('forgot.working')}>
        {t('forgot.submit')}
      </Button>
      <div className={styles.actions}>{backToLogIn}</div>
    </form>
  );
}
