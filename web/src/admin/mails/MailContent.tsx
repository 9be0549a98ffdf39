import { useTranslation } from 'react-i18next';
import type { PortalCall } from '../../session/session.ts';
import { Loaded } from '../orders/Section.tsx';
import styles from './MailContent.module.css';
import { useMailContent } from './mails.ts';

/** The email as plain text, which cannot run or load anything. */
export function MailContent({ call, id }: { call: PortalCall; id: string }) {
  const { t } = useTranslation('admin');
  const content = useMailContent(call, id);
  return (
    <Loaded query={content}>
      {(mail) =>
        mail === null ? (
          <p className="quiet">{t('mails.erased')}</p>
        ) : (
          <article className={styles.mail} aria-label={t('mails.text')} tabIndex={0}>
            <p className={styles.subject}>{mail.subject}</p>
            <p className={styles.text}>{mail.text}</p>
          </article>
        )
      }
    </Loaded>
  );
}
