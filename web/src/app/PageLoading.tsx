import { useTranslation } from 'react-i18next';
import styles from './app.module.css';

/** Shown while a page's chunk loads; the text is delayed so that fast loads show nothing. */
export function PageLoading() {
  const { t } = useTranslation();
  return (
    <main className={styles.loading}>
      <p role="status">{t('loading')}</p>
    </main>
  );
}
