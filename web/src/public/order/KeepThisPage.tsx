import { useTranslation } from 'react-i18next';
import { ButtonLink } from '../../design/components/Button.tsx';
import { CopyButton } from '../../design/components/CopyButton.tsx';
import { Field } from '../../design/components/Field.tsx';
import { useSession } from '../../session/session.ts';
import { useBuyersEmail } from './arrival.ts';
import { privateLink } from './order-words.ts';
import styles from './OrderPage.module.css';

/** Permanent link and the offer of an account. */
export function KeepThisPage({ token }: { token: string }) {
  const { t } = useTranslation(['order', 'common']);
  const address = privateLink(token);
  const session = useSession('customer');
  const email = useBuyersEmail();
  return (
    <section aria-labelledby="keep-title">
      <h2 id="keep-title" className="sub-title">
        {t('keep.title')}
      </h2>
      <p className={styles.keepText}>{t('keep.text')}</p>
      <div className={styles.link}>
        <Field label={t('keep.link')} value={address} readOnly onFocus={(event) => event.target.select()} />
        <CopyButton text={address} label={t('common:copy')} />
      </div>
      <div className={styles.account}>
        {session.state === 'in' ? (
          <>
            <p className="small">{t('keep.portal')}</p>
            <ButtonLink to="/customer-portal">{t('keep.toPortal')}</ButtonLink>
          </>
        ) : (
          <>
            <p className="small">{email ? t('keep.accountWith', { email }) : t('keep.account')}</p>
            <ButtonLink to="/customer-portal" state={{ register: true, email }}>
              {t('keep.create')}
            </ButtonLink>
          </>
        )}
      </div>
    </section>
  );
}
