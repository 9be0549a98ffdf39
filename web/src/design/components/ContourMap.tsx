import day from '../../art/contours.svg';
import night from '../../art/contours-night.svg';
import styles from './ContourMap.module.css';

/** Decorative contour lines with a pin; shows no real place. */
export function ContourMap({ label, className = '' }: { label: string; className?: string }) {
  return (
    <picture>
      <source srcSet={night} media="screen and (prefers-color-scheme: dark)" />
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
