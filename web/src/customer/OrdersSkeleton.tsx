import { SkeletonBlock, SkeletonFrame } from '../design/components/Skeleton.tsx';
import orders from './Orders.module.css';
import styles from './OrdersSkeleton.module.css';
import tiles from './Tiles.module.css';

/** Placeholder in the shape of the portal: four tiles, then orders. */
export function OrdersSkeleton({ label }: { label: string }) {
  return (
    <SkeletonFrame label={label} className={styles.skeleton}>
      <div className={tiles.tiles}>
        {[1, 2, 3, 4].map((tile) => (
          <div key={tile}>
            <SkeletonBlock className={styles.label} />
            <SkeletonBlock className={styles.figure} />
          </div>
        ))}
      </div>
      <div className={orders.orders}>
        <SkeletonBlock className={styles.head} />
        <SkeletonBlock className={styles.order} />
        <SkeletonBlock className={styles.order} />
      </div>
    </SkeletonFrame>
  );
}
