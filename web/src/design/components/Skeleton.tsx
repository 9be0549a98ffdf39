import type { ReactNode } from 'react';
import styles from './Skeleton.module.css';

interface FrameProps {
  /** For screen readers. */
  label: string;
  className?: string | undefined;
  children: ReactNode;
}

/** A placeholder in the shape of the content that is loading. */
export const SkeletonFrame = ({ label, className = '', children }: FrameProps) => (
  <>
    {/* Outside, because screen readers skip a busy element. */}
    <p className="visually-hidden" role="status">
      {label}
    </p>
    <div className={`${styles.skeleton} ${className}`} aria-busy="true">
      {children}
    </div>
  </>
);

/** One block of a placeholder; the class gives its size. */
export const SkeletonBlock = ({ className = '' }: { className?: string | undefined }) => (
  <span className={`${styles.block} ${className}`} aria-hidden="true" />
);

/** For a paragraph or a short list. */
export const Skeleton = ({ label, lines = 3 }: { label: string; lines?: number }) => (
  <SkeletonFrame label={label} className={styles.lines}>
    {Array.from({ length: lines }, (_, at) => (
      <SkeletonBlock key={at} className={styles.line} />
    ))}
  </SkeletonFrame>
);

/** For a form: labels above their fields. */
export const FormSkeleton = ({ label, fields = 3 }: { label: string; fields?: number }) => (
  <SkeletonFrame label={label} className={styles.form}>
    {Array.from({ length: fields }, (_, at) => (
      <div key={at} className={styles.lines}>
        <SkeletonBlock className={styles.label} />
        <SkeletonBlock className={styles.field} />
      </div>
    ))}
  </SkeletonFrame>
);
