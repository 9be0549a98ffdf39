import type { Role } from '@arboleda/contracts/roles.ts';
import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { call } from '../api/client.ts';
import { isProblem } from '../api/problem.ts';
import { Alert } from '../design/components/Alert.tsx';
import { Button, ButtonLink } from '../design/components/Button.tsx';
import { useToast } from '../design/components/Toasts.tsx';
import forms from '../portal/forms.module.css';
import { useProblemText } from '../session/problem-text.ts';
import { keepToken } from '../session/token-store.ts';
import styles from './account.module.css';
import { AccountScreen } from './AccountScreen.tsx';
import { showFieldProblems } from './field-problems.ts';
import { useMailedLink } from './link.ts';
import { NewPassword, type NewPasswordFields } from './NewPassword.tsx';
import { PORTAL_OF, roleOf } from './roles.ts';

/**
 * `/reset-password#role=…&token=…`: for a forgotten password, or the first password of someone who was invited. Logs in, except
 * where the second factor is still to be shown.
 */
export function ResetPasswordPage() {
  const { t } = useTranslation('account');
  const link = useMailedLink();
  const role = roleOf(link.get('role'));
  const token = link.get('token');
  return (
    <AccountScreen title={t('reset.title')} lead={t(role === 'customer' ? 'reset.lead' : 'reset.leadWorker')}>
      {token ? <Form key={token} role={role} token={token} /> : <LinkIsBad role={role} />}
    </AccountScreen>
  );
}

function Form({ role, token }: { role: Role; token: string }) {
  const { t } = useTranslation('account');
  const problemText = useProblemText();
  const toast = useToast();
  const navigate = useNavigate();
  const form = useForm<NewPasswordFields>({
    defaultValues: { currentPassword: '', password: '', confirm: '' },
  });
  const setting = useMutation({
    mutationFn: ({ password }: NewPasswordFields) =>
      call('POST /api/auth/{role}/reset-password', { params: { role }, body: { token, password } }),
    onSuccess: ({ email, token: session }) => {
      // All earlier sessions have ended, including the one in this browser.
      keepToken(role, session ?? null);
      toast({ kind: 'good', text: t(session ? 'reset.done' : 'reset.doneLogIn') });
      void navigate(PORTAL_OF[role], { replace: true, state: { email } });
    },
    onError: (error) => showFieldProblems(form, error),
  });
  if (isProblem(setting.error, 'link-invalid')) return <LinkIsBad role={role} />;
  return (
    <form noValidate className={forms.form} onSubmit={form.handleSubmit((values) => setting.mutate(values))}>
      {setting.isError && (
        <Alert kind="wrong">
          {problemText(setting.error, { failed: t('reset.failed'), network: t('network') })}
        </Alert>
      )}
      <NewPassword form={form} />
      <Button type="submit" look="accent" wide working={setting.isPending && t('reset.working')}>
        {t('reset.submit')}
      </Button>
    </form>
  );
}

/** Explains a used or expired link and how to get a new one; who was invited asks the office. */
function LinkIsBad({ role }: { role: Role }) {
  const { t } = useTranslation('account');
  return (
    <div className={styles.said}>
      <Alert kind="wrong">
        <p>{t('reset.linkInvalid')}</p>
        {role !== 'customer' && <p>{t('reset.linkInvalidWorker')}</p>}
      </Alert>
      <div className={styles.actions}>
        <ButtonLink look="accent" to={`/forgot-password?role=${role}`}>
          {t('reset.askAgain')}
        </ButtonLink>
        <ButtonLink to={PORTAL_OF[role]}>{t('forgot.back')}</ButtonLink>
      </div>
    </div>
  );
}
