import { SkeletonBlock, SkeletonFrame } from '../design/components/Skeleton.tsx';
import task from './TaskFrame.module.css';
import styles from './WorkSkeleton.module.css';
import portal from './WorkerPortal.module.css';

/** Placeholder in the shape of a worker's tasks: two tiles, the current task, and rows of others. */
export const WorkSkeleton = ({ label }: { label: string }) => (
  <SkeletonFrame label={label} className={styles.work}>
    <div className={portal.tiles}>
      {[1, 2].map((tile) => (
        <div key={tile}>
          <SkeletonBlock className={styles.line} />
          <SkeletonBlock className={styles.figure} />
        </div>
      ))}
    </div>
    <div className={task.now}>
      <SkeletonBlock className={styles.line} />
      <SkeletonBlock className={styles.figure} />
      <SkeletonBlock />
      <SkeletonBlock className={styles.line} />
      <SkeletonBlock className={styles.press} />
    </div>
    {[1, 2, 3].map((row) => (
      <div key={row} className={task.row}>
        <div className={task.summary}>
          <div className={task.words}>
            <SkeletonBlock className={styles.title} />
            <SkeletonBlock />
          </div>
        </div>
      </div>
    ))}
  </SkeletonFrame>
);
