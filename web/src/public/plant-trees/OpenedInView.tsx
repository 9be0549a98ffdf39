import { useEffect, useRef, type ReactNode } from 'react';
import styles from './PlantTreesPage.module.css';

/** Brings the checkout into view each time that it opens from another card. */
export function OpenedInView({ of, children }: { of: string; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Who is setting a number keeps seeing it.
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
