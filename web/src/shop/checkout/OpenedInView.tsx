import { useEffect, useRef, type ReactNode } from 'react';
import styles from './PlantTreesPage.module.css';

/** Scrolls the checkout into view whenever it opens from another card. */
export function OpenedInView({ of, children }: { of: string; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Does not scroll while the visitor types a number.
    const active = document.activeElement;
    if (active?.closest('fieldset') && active.getAttribute('type') !== 'radio') return;
    const top = place.current?.getBoundingClientRect().top ?? 0;
    if (top > window.innerHeight * 0.55) place.current?.scrollIntoView({ block: 'start' });
  }, [of]);
  return (
    <div ref={place} className={styles.opened}>
      {children}
    </div>
  );
}
