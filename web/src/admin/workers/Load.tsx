import { useTranslation } from 'react-i18next';
import { useFormats } from '../../i18n/format.ts';
import styles from './Workers.module.css';
import { takenOf, type Workload } from './workers.ts';

/** Open trees of a worker against their capacity. */
export function Load({ load, capacityTrees }: { load: Workload | undefined; capacityTrees: number }) {
  const { t } = useTranslation('panels');
  const formats = useFormats();
  const open = load?.openTrees ?? 0;
  return (
    <span className={styles.load}>
      <span className="tabular">
        {t('workers.openOf', { open: formats.number(open), capacity: formats.number(capacityTrees) })}
      </span>
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true" className={styles.bar}>
        <rect width="100" height="6" className={styles.room} />
        <rect
          width={load ? Math.min(1, takenOf(load)) * 100 : 0}
          height="6"
          className={load && takenOf(load) > 1 ? styles.over : styles.taken}
        />
      </svg>
      {load && (
        <span className="quiet">
          {t('workers.openAssignments', { count: load.openAssignments })}
          {load.visitsDue > 0 && `, ${t('workers.visitsDue', { count: load.visitsDue })}`}
        </span>
      )}
    </span>
  );
}
