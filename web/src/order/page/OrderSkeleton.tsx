import { SkeletonBlock, SkeletonFrame } from '../../design/components/Skeleton.tsx';
import parts from '../order.module.css';
import hero from './OrderHero.module.css';
import styles from './OrderSkeleton.module.css';

/** Placeholder in the shape of an order: words beside the photo, and the panel of the timeline below. */
export function OrderSkeleton({ label }: { label: string }) {
  return (
    <SkeletonFrame label={label} className={styles.skeleton}>
      <div className={`container ${hero.hero}`}>
        <div>
          <SkeletonBlock className={styles.which} />
          <SkeletonBlock className={styles.title} />
          <SkeletonBlock className={styles.text} />
          <SkeletonBlock className={styles.action} />
        </div>
        <div className={hero.photo}>
          <SkeletonBlock className={styles.photo} />
        </div>
      </div>
      <div className={parts.panel}>
        <div className={styles.timeline} />
      </div>
    </SkeletonFrame>
  );
}
