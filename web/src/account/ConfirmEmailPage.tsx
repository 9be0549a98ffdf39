import { type Role, ROLES } from '@arboleda/contracts/roles.ts';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../api/client.ts';
import { ApiProblem, isProblem } from '../api/problem.ts';
import { Alert } from '../design/components/Alert.tsx';
import { Button, ButtonLink } from '../design/components/Button.tsx';
import { Skeleton } from '../design/components/Skeleton.tsx';
import { LogIn } from '../portal/LogIn.tsx';
import { useProblemText } from '../session/problem-text.ts';
import { keepToken, readToken } from '../session/token-store.ts';
import { AccountScreen } from './AccountScreen.tsx';
import styles from './account.module.css';
import { useMailedLink } from './link.ts';
import { PORTAL_OF } from './roles.ts';

const rolesLoggedIn = (): Role[] => ROLES.filter((role) => readToken(role) !== null);

/**
 * Confirms the new address. The link does not name the account, so each logged-in account is tried.
 * @throws ApiProblem of the last attempt when none matches
 */
async function confirmEmail(token: string): Promise<{ role: Role; email: string }> {
  let refusal: unknown = new ApiProblem({
    type: 'unauthenticated',
    status: 401,
    title: 'Nobody is logged in',
  });
  for (const role of rolesLoggedIn()) {
    try {
      const answer = await call('POST /api/auth/me/email/confirm', {
        body: { token },
        headers: { authorization: `Bearer ${readToken(role)}` },
      });
      keepToken(role, answer.token);
      return { role, email: answer.user.email };
    } catch (error) {
      if (!isProblem(error, 'link-invalid') && !isProblem(error, 'unauthenticated')) throw error;
      refusal = error;
    }
  }
  throw refusal;
}

/** `/confirm-email#token=…`: confirms a new address for the logged-in account that requested it. */
export function ConfirmEmailPage() {
  const { t } = useTranslation('account');
  const token = useMailedLink().get('token');
  const [loggedIn, setLoggedIn] = useState(() => rolesLoggedIn().length > 0);
  return (
    <AccountScreen title={t('confirm.title')} lead={t(loggedIn ? 'confirm.lead' : 'confirm.logInFirst')}>
      {!token && <Alert kind="wrong">{t('confirm.linkInvalid')}</Alert>}
      {token && !loggedIn && <LogInFirst onDone={() => setLoggedIn(true)} />}
      {token && loggedIn && <Confirmation key={token} token={token} onNobody={() => setLoggedIn(false)} />}
    </AccountScreen>
  );
}

function Confirmation({ token, onNobody }: { token: string; onNobody: () => void }) {
  const { t } = useTranslation('account');
  const { t: common } = useTranslation();
  const problemText = useProblemText();
  const { mutate, data, error } = useMutation({
    mutationFn: () => confirmEmail(token),
    onError: (refusal) => isProblem(refusal, 'unauthenticated') && onNobody(),
  });
  useEffect(() => mutate(), [mutate]);
  if (data) {
    return (
      <div className={styles.said}>
        <Alert kind="good">{t('confirm.done', { email: data.email })}</Alert>
        <ButtonLink to={PORTAL_OF[data.role]}>{t('confirm.toPortal')}</ButtonLink>
      </div>
    );
  }
  if (!error) return <Skeleton label={t('confirm.working')} />;
  if (isProblem(error, 'link-invalid')) {
    return <Alert kind="wrong">{t('confirm.linkInvalid')}</Alert>;
  }
  return (
    <Alert kind="wrong" action={<Button onClick={() => mutate()}>{common('tryAgain')}</Button>}>
      {problemText(error, { failed: t('confirm.failed'), network: t('network') })}
    </Alert>
  );
}

/** The link does not name the role, so login defaults to customers and offers the others. */
function LogInFirst({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('account');
  const [role, setRole] = useState<Role>('customer');
  return (
    <>
      <LogIn
        key={role}
        role={role}
        onLogIn={(token) => {
          keepToken(role, token);
          onDone();
        }}
      />
      <div className={styles.switch}>
        {ROLES.filter((other) => other !== role).map((other) => (
          <Button key={other} look="text" size="small" onClick={() => setRole(other)}>
            {t(`confirm.as.${other}`)}
          </Button>
        ))}
      </div>
    </>
  );
}
