import day from '../../art/contours.svg';
import night from '../../art/contours-night.svg';
import styles from './ContourMap.module.css';

/** A drawn sheet of contour lines with a pin: it stands for a map and claims no place. */
export function ContourMap({ label, className = '' }: { label: string; className?: string }) {
  return (
    <picture>
      <source srcSet={night} media="(prefers-color-scheme: dark)" />
      <img
        className={`${styles.map} ${className}`}
        src={day}
        width="480"
        height="360"
        alt={label}
        loading="lazy"
      />
    </picture>
  );
}
