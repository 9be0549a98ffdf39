import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import letter from '../art/sp-name.svg';
import { Alert } from '../design/components/Alert.tsx';
import { Button } from '../design/components/Button.tsx';
import { EmptyState } from '../design/components/EmptyState.tsx';
import type { OpenSession } from '../portal/Gate.tsx';
import { useProblemText } from '../session/problem-text.ts';
import styles from './CustomerPortal.module.css';

/** Orders stay hidden until the address is verified; this explains it and resends the link. */
export function VerifyNotice({ session }: { session: OpenSession<'customer'> }) {
  const { t } = useTranslation('customer');
  const problemText = useProblemText();
  const resend = useMutation({
    mutationFn: () => session.call('POST /api/auth/customer/verify-email/resend'),
  });
  const failed = { failed: t('verify.resendFailed'), network: t('verify.resendFailed') };
  return (
    <div className={styles.verify}>
      <EmptyState
        drawing={letter}
        title={t('verify.oneStep')}
        action={
          <Button working={resend.isPending && t('verify.resending')} onClick={() => resend.mutate()}>
            {t('verify.resend')}
          </Button>
        }
      >
        {t('verify.notice', { email: session.person.email })}
      </EmptyState>
      {resend.isSuccess && <Alert kind="good">{t('verify.resent')}</Alert>}
      {resend.isError && <Alert kind="wrong">{problemText(resend.error, failed)}</Alert>}
    </div>
  );
}
