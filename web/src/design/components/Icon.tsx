import type { Outline } from './icons.ts';
import styles from './Icon.module.css';

type Size = 'small' | 'medium' | 'large';

/** Decorative icon; a control with only an icon needs its own label. */
export function Icon({
  of,
  size = 'medium',
  className = '',
}: {
  of: Outline;
  size?: Size;
  className?: string;
}) {
  return (
    <svg className={`${styles.icon} ${styles[size]} ${className}`} viewBox="0 0 256 256" aria-hidden="true">
      <path d={of} />
    </svg>
  );
}
