import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { useMailedLink } from '../account/link.ts';
import { isProblem } from '../api/problem.ts';
import { usePage } from '../layout/use-page.ts';
import { Alert } from '../design/components/Alert.tsx';
import { Button, ButtonLink } from '../design/components/Button.tsx';
import { Skeleton } from '../design/components/Skeleton.tsx';
import { Gate, type OpenSession } from '../portal/Gate.tsx';
import { useProblemText } from '../session/problem-text.ts';
import styles from './CustomerPortal.module.css';
import { Welcome } from './Welcome.tsx';

/**
 * `/verify-email#token=…`: the fragment keeps the token out of server logs. Only the requesting account may verify, so
 * guests log in first.
 */
export function VerifyEmailPage() {
  const { t } = useTranslation('customer');
  usePage(t('verify.title'));
  const token = useMailedLink().get('token') ?? '';
  return (
    <Gate
      role="customer"
      title={t('verify.title')}
      guest={(logIn) => (
        <Welcome onToken={logIn} words={{ title: t('verify.title'), lead: t('verify.logInFirst') }} />
      )}
    >
      {(session) => <Verification session={session} token={token} />}
    </Gate>
  );
}

function Verification({ session, token }: { session: OpenSession<'customer'>; token: string }) {
  const { t } = useTranslation('customer');
  const { t: common } = useTranslation();
  const problemText = useProblemText();
  const navigate = useNavigate();
  const { mutate, error } = useMutation({
    mutationFn: () => session.call('POST /api/auth/customer/verify-email', { body: { token } }),
    onSuccess: (answer) => {
      session.logIn(answer.token);
      void navigate('/customer-portal', { replace: true, state: { verified: true } });
    },
  });
  const already = session.person.emailVerified;
  useEffect(() => {
    if (!already) mutate();
  }, [already, mutate]);

  const linkIsBad = isProblem(error, 'link-invalid');
  const toPortal = <ButtonLink to="/customer-portal">{t('verify.toPortal')}</ButtonLink>;
  return (
    <div className={`container ${styles.dashboard}`}>
      <h1 className="page-title">{t('verify.title')}</h1>
      {already && (
        <Alert kind="good" action={toPortal}>
          {t('verify.done')}
        </Alert>
      )}
      {!already && !error && <Skeleton label={t('verify.working')} />}
      {error && (
        <Alert
          kind="wrong"
          action={linkIsBad ? toPortal : <Button onClick={() => mutate()}>{common('tryAgain')}</Button>}
        >
          {linkIsBad
            ? t('verify.linkInvalid')
            : problemText(error, { failed: t('verify.failed'), network: t('verify.network') })}
        </Alert>
      )}
    </div>
  );
}
