import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../design/components/ConfirmDialog.tsx';
import { useToast } from '../../design/components/Toasts.tsx';
import { useFormats } from '../../i18n/format.ts';
import { useProblemText } from '../../session/problem-text.ts';
import type { PortalCall } from '../../session/session.ts';
import { useOnce } from '../desk/use-once.ts';
import { type Mail, useResend } from './mails.ts';

/** Asks before a mail goes out once more. */
export function ResendDialog({ call, mail, onClose }: { call: PortalCall; mail: Mail; onClose: () => void }) {
  const { t } = useTranslation('desk');
  const formats = useFormats();
  const toast = useToast();
  const problemText = useProblemText();
  const resend = useResend(call, mail.id);
  const send = useOnce(resend);
  const confirm = () => {
    send(undefined, {
      onSuccess: ({ mail: fresh }) => {
        toast({ kind: 'good', text: t('mails.resent', { address: fresh.to.address }) });
        onClose();
      },
    });
  };
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t('mails.resendTitle')}
      confirm={t('mails.resend')}
      working={resend.isPending && t('decision.working')}
      error={
        resend.error &&
        problemText(resend.error, { failed: t('mails.failed'), network: t('workers.noAnswer') })
      }
      onConfirm={confirm}
    >
      <p>
        {t('mails.resendText', {
          kind: t(`mails.kinds.${mail.kind as 'receipt'}`, { defaultValue: mail.kind }),
          name: mail.to.name,
        })}
      </p>
      {mail.addressFailedAt && <p>{t('mails.addressFailed', { day: formats.day(mail.addressFailedAt) })}</p>}
    </ConfirmDialog>
  );
}
