import { useTranslation } from 'react-i18next';
import { SkeletonBlock, SkeletonFrame } from '../design/components/Skeleton.tsx';
import styles from './app.module.css';

/** While a page's chunk loads: a header, a title and a text. Delayed, so that fast loads show nothing. */
export function PageLoading() {
  const { t } = useTranslation();
  return (
    <main className={styles.loading}>
      <SkeletonFrame label={t('loading')} className={`container ${styles.page}`}>
        <SkeletonBlock className={styles.bar} />
        <SkeletonBlock className={styles.title} />
        <SkeletonBlock />
        <SkeletonBlock className={styles.line} />
        <SkeletonBlock className={styles.block} />
      </SkeletonFrame>
    </main>
  );
}
