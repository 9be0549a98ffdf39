import { useTranslation } from 'react-i18next';
import { Icon } from '../design/components/Icon.tsx';
import { wifiSlash } from '../design/components/icons.ts';
import styles from './SignalBanner.module.css';

interface Props {
  isOffline: boolean;
  photos: number;
  onRetry: () => void;
}

export function SignalBanner({ isOffline, photos, onRetry }: Props) {
  const { t } = useTranslation('worker');
  const { t: common } = useTranslation();
  return (
    <div role="status">
      {isOffline && (
        <div className={`on-forest ${styles.banner}`}>
          <div className={`container ${styles.line}`}>
            <Icon of={wifiSlash} size="large" />
            <p className={styles.words}>
              <strong>{t('offline.title')}</strong>
              <span>{photos > 0 ? t('offline.photos', { count: photos }) : t('offline.text')}</span>
            </p>
            <button type="button" className={styles.retry} onClick={onRetry}>
              {common('tryAgain')}
            </button>
          </div>
        </div>
      )}
    </div>
  );
}
