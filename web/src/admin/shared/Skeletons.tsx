import { SkeletonBlock, SkeletonFrame } from '../../design/components/Skeleton.tsx';
import styles from './Skeletons.module.css';

const times = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

/** For a DataTable: its head, and rows as high as its own; cards on phones. */
export const TableSkeleton = ({ label, rows = 12 }: { label: string; rows?: number }) => (
  <SkeletonFrame label={label}>
    <div className={styles.head} />
    {times(rows).map((row) => (
      <div key={row} className={styles.row}>
        <SkeletonBlock className={styles.first} />
        <SkeletonBlock className={styles.second} />
        <SkeletonBlock className={styles.third} />
        <SkeletonBlock className={styles.last} />
      </div>
    ))}
  </SkeletonFrame>
);

/** For a dialog with facts: a line of status, and sections of labels and values in two columns. */
export const FactsSkeleton = ({ label, sections = 4 }: { label: string; sections?: number }) => (
  <SkeletonFrame label={label} className={styles.facts}>
    <SkeletonBlock className={styles.status} />
    {times(sections).map((section) => (
      <div key={section}>
        <SkeletonBlock className={styles.title} />
        {times(4).map((fact) => (
          <div key={fact} className={styles.fact}>
            <SkeletonBlock className={styles.name} />
            <SkeletonBlock className={styles.value} />
          </div>
        ))}
      </div>
    ))}
  </SkeletonFrame>
);
