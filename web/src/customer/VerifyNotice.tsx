import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Alert } from '../design/components/Alert.tsx';
import { Button } from '../design/components/Button.tsx';
import type { OpenSession } from '../portal/Gate.tsx';
import { useProblemText } from '../session/problem-text.ts';

/** Orders stay hidden until the address is proved to be one's own; this says so and sends the link again. */
export function VerifyNotice({ session }: { session: OpenSession<'customer'> }) {
  const { t } = useTranslation('customer');
  const problemText = useProblemText();
  const resend = useMutation({
    mutationFn: () => session.call('POST /api/auth/customer/verify-email/resend'),
  });
  const failed = { failed: t('verify.resendFailed'), network: t('verify.resendFailed') };
  return (
    <>
      <Alert
        kind="note"
        action={
          !resend.isSuccess && (
            <Button working={resend.isPending && t('verify.resending')} onClick={() => resend.mutate()}>
              {t('verify.resend')}
            </Button>
          )
        }
      >
        {resend.isSuccess ? t('verify.resent') : t('verify.notice', { email: session.person.email })}
      </Alert>
      {resend.isError && <Alert kind="wrong">{problemText(resend.error, failed)}</Alert>}
    </>
  );
}
