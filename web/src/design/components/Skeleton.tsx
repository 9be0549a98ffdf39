import styles from './Skeleton.module.css';

/** Placeholder lines with a label for screen readers. */
export function Skeleton({ label, lines = 3 }: { label: string; lines?: number }) {
  return (
    <div className={styles.skeleton} role="status">
      <p className="small quiet">{label}</p>
      {Array.from({ length: lines }, (_, at) => (
        <span key={at} className={styles.line} aria-hidden="true" />
      ))}
    </div>
  );
}

/** One block of a placeholder in the shape of the content; the class gives its size. */
export const SkeletonBlock = ({ className = '' }: { className?: string | undefined }) => (
  <span className={`${styles.block} ${className}`} aria-hidden="true" />
);
