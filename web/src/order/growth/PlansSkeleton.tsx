import { SkeletonBlock, SkeletonFrame } from '../../design/components/Skeleton.tsx';
import schedule from '../../design/components/GrowthSchedule.module.css';
import styles from './PlansSkeleton.module.css';

/** Placeholder in the shape of the packages: name, dates, price and button of each. */
export const PlansSkeleton = ({ label }: { label: string }) => (
  <SkeletonFrame label={label} className={schedule.schedule}>
    {[1, 2, 3].map((plan) => (
      <div key={plan} className={schedule.row}>
        <div className={`${schedule.what} ${styles.words}`}>
          <SkeletonBlock className={styles.name} />
          <SkeletonBlock />
        </div>
        <div className={`${schedule.when} ${styles.words}`}>
          <SkeletonBlock />
          <SkeletonBlock className={styles.name} />
        </div>
        <SkeletonBlock className={styles.price} />
        <SkeletonBlock className={styles.press} />
      </div>
    ))}
  </SkeletonFrame>
);
