import { useId, type ReactNode } from 'react';
import styles from './desk.module.css';

interface Props {
  title: string;
  /** How many there are. */
  count?: string | undefined;
  /** What can be done beside looking. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A part of the dashboard: its heading, what can be done, and what there is. */
export function Panel({ title, count, actions, children }: Props) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles.panel}>
      <div className={styles.head}>
        <h2 id={id} className="sub-title">
          {title} {count !== undefined && <span className={styles.count}>{count}</span>}
        </h2>
        {actions}
      </div>
      {children}
    </section>
  );
}
