import { type ReactNode, useId } from 'react';
import styles from './shared.module.css';

interface PanelProps {
  title: string;
  /** Localized count of entries. */
  count?: string | undefined;
  actions?: ReactNode;
  children: ReactNode;
}

export function Panel({ title, count, actions, children }: PanelProps) {
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
