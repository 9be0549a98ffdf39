import { useId, type ReactNode } from 'react';
import styles from './DesignPage.module.css';

export function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 id={id} className="small quiet">
        {title}
      </h2>
      <div className={styles.samples}>{children}</div>
    </section>
  );
}
