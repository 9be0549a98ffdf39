import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { useOnline } from '../api/use-online.ts';
import { Alert } from '../design/components/Alert.tsx';
import styles from './app.module.css';

/** Shown at the foot of the window while offline; the worker portal has its own notice. */
export function OfflineNotice() {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const online = useOnline();
  const says = !online && !pathname.startsWith('/worker-portal');
  return (
    <div className={styles.offline} aria-live="polite">
      {says && <Alert kind="offline">{t('offline')}</Alert>}
    </div>
  );
}
