import { useTranslation } from 'react-i18next';
import styles from './app.module.css';

/** Shown while a page's chunk arrives; the words come late so that a fast load shows nothing. */
export function PageLoading() {
  const { t } = useTranslation();
  return (
    <main className={styles.loading}>
      <p role="status">{t('loading')}</p>
    </main>
  );
}
