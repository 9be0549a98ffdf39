import { useTranslation } from 'react-i18next';
import { useFormats } from '../i18n/format.ts';
import type { Assignments } from './tasks.ts';
import styles from './WorkerPortal.module.css';

/** Pending means assigned: product spec section 4. */
export function Tiles({ stats }: { stats: Assignments['stats'] }) {
  const { t } = useTranslation('worker');
  const formats = useFormats();
  return (
    <dl className={styles.tiles}>
      <div>
        <dt>{t('tiles.pending')}</dt>
        <dd className="figure">{formats.number(stats.pendingAssignments)}</dd>
      </div>
      <div>
        <dt>{t('tiles.planted')}</dt>
        <dd className="figure">{formats.number(stats.treesPlanted)}</dd>
      </div>
    </dl>
  );
}
