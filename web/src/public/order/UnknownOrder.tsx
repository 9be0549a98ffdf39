import { useTranslation } from 'react-i18next';
import seeds from '../../art/sp-seeds.svg';
import { ButtonLink } from '../../design/components/Button.tsx';
import styles from './OrderPage.module.css';

/**
 * Explains why the order may be missing and where to find it. The page keeps polling while the order may still arrive.
 */
export function UnknownOrder({ mayStillCome = false }: { mayStillCome?: boolean }) {
  const { t } = useTranslation(['order', 'common']);
  return (
    <div className={styles.confirming}>
      <img src={seeds} width="168" height="132" alt="" />
      <h1 className="page-title">{t('unknown.title')}</h1>
      <p className="lead">{t('unknown.text')}</p>
      <ul className={styles.steps}>
        <li>{t('unknown.whole')}</li>
        {mayStillCome && <li>{t('unknown.paid')}</li>}
        <li>{t('unknown.portal')}</li>
      </ul>
      <div className={styles.choices}>
        <ButtonLink to="/customer-portal">{t('common:nav.myTrees')}</ButtonLink>
        <ButtonLink to="/" look="text">
          {t('common:nav.home')}
        </ButtonLink>
      </div>
    </div>
  );
}
