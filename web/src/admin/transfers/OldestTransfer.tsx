import { useTranslation } from 'react-i18next';
import { Button } from '../../design/components/Button.tsx';
import { Icon } from '../../design/components/Icon.tsx';
import { hourglass } from '../../design/components/icons.ts';
import { useAge } from '../shared/duration.ts';
import styles from './OldestTransfer.module.css';

/** Waiting time of the oldest transfer against the promised time. */
export function OldestTransfer({
  total,
  since,
  onReview,
}: {
  total: number;
  since: string;
  onReview: () => void;
}) {
  const { t } = useTranslation('panels');
  const age = useAge();
  return (
    <div className={styles.oldest}>
      <Icon of={hourglass} />
      <p className={styles.text}>
        <strong>{t('transfers.waiting', { count: total })}</strong>{' '}
        {t('transfers.oldest', { age: age(since) })}
      </p>
      <Button size="small" onClick={onReview}>
        {t('transfers.reviewNext')}
      </Button>
    </div>
  );
}
