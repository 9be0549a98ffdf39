import { useTranslation } from 'react-i18next';
import { Button } from '../../design/components/Button.tsx';
import { ConfirmDialog } from '../../design/components/ConfirmDialog.tsx';
import { Dialog } from '../../design/components/Dialog.tsx';
import { useToast } from '../../design/components/Toasts.tsx';
import { useFormats } from '../../i18n/format.ts';
import { useProblemText } from '../../session/problem-text.ts';
import type { PortalCall } from '../../session/session.ts';
import { useOnce } from '../shared/files.tsx';
import { MailContent } from './MailContent.tsx';
import { type Mail, useResend } from './mails.ts';

/** Asks before an email is sent again. */
export function ResendDialog({ call, mail, onClose }: { call: PortalCall; mail: Mail; onClose: () => void }) {
  const { t } = useTranslation(['panels', 'admin']);
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
          kind: t(`admin:mails.kinds.${mail.kind as 'receipt'}`, { defaultValue: mail.kind }),
          name: mail.to.name,
        })}
      </p>
      {mail.addressFailedAt && <p>{t('mails.addressFailed', { day: formats.day(mail.addressFailedAt) })}</p>}
    </ConfirmDialog>
  );
}

export function ReadDialog({ call, id, onClose }: { call: PortalCall; id: string; onClose: () => void }) {
  const { t } = useTranslation('admin');
  const { t: common } = useTranslation();
  return (
    <Dialog
      open
      onClose={onClose}
      width="wide"
      title={t('mails.text')}
      actions={<Button onClick={onClose}>{common('close')}</Button>}
    >
      <MailContent call={call} id={id} />
    </Dialog>
  );
}
