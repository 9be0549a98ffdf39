import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { useFormats } from '../../i18n/format.ts';
import { useProblemText } from '../../session/problem-text.ts';
import type { PortalCall } from '../../session/session.ts';
import { MailContent } from '../mails/MailContent.tsx';
import { type Mail, useOrderMails, useResend } from '../mails/mails.ts';
import styles from './parts.module.css';
import { Loaded } from './Section.tsx';
import { useMay } from '../permissions.tsx';

export function MailsSection({ call, id }: { call: PortalCall; id: string }) {
  const { t } = useTranslation('admin');
  return (
    <Loaded query={useOrderMails(call, id)} missing={t('mails.none')}>
      {(list) =>
        list.length === 0 ? (
          <p className={`quiet ${styles.line}`}>{t('mails.none')}</p>
        ) : (
          <ul aria-label={t('mails.title')}>
            {list.map((mail) => (
              <Line key={mail.id} call={call} mail={mail} />
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}

function Line({ call, mail }: { call: PortalCall; mail: Mail }) {
  const { t } = useTranslation('admin');
  const formats = useFormats();
  const problemText = useProblemText();
  const may = useMay();
  const [isRead, setRead] = useState(false);
  const resend = useResend(call, mail.id);
  const kind = t(`mails.kinds.${mail.kind}`, { defaultValue: mail.kind });
  const at = mail.sentAt ?? mail.queuedAt;
  const failed = t('mails.failed');
  return (
    <li className={styles.line}>
      <div className={styles.split}>
        <div>
          <p>
            <strong>{kind}</strong>{' '}
            <span className={mail.state === 'sent' ? 'quiet' : styles.wrong}>
              {t(`mails.states.${mail.state}`)}
            </span>
            {mail.resendOf && <span className="quiet"> · {t('mails.again')}</span>}
          </p>
          <p className="quiet">
            {mail.to.address} · {formats.moment(at)}
          </p>
          {mail.error && <p>{mail.error}</p>}
        </div>
        <div className={styles.acts}>
          <Button
            size="small"
            look="text"
            aria-expanded={isRead}
            aria-label={t(isRead ? 'mails.hideOne' : 'mails.readOne', { kind, address: mail.to.address })}
            onClick={() => setRead(!isRead)}
          >
            {isRead ? t('mails.hide') : t('mails.read')}
          </Button>
          {may('emails:resend') && (
            <Button
              size="small"
              look="text"
              aria-label={t('mails.resendOne', { kind, address: mail.to.address })}
              working={resend.isPending && t('mails.sending')}
              onClick={() => resend.mutate()}
            >
              {t('mails.resend')}
            </Button>
          )}
        </div>
      </div>
      {isRead && <MailContent call={call} id={mail.id} />}
      {resend.isSuccess && <Alert kind="good">{t('mails.resent')}</Alert>}
      {resend.error && <Alert kind="wrong">{problemText(resend.error, { failed, network: failed })}</Alert>}
    </li>
  );
}
