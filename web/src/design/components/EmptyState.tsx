import type { ReactNode } from 'react';
import styles from './EmptyState.module.css';

interface Props {
  /** A drawing of 168 × 132 px. */
  drawing: string;
  title: string;
  children: ReactNode;
  action?: ReactNode;
}

export function EmptyState({ drawing, title, children, action }: Props) {
  return (
    <div className={styles.empty}>
      <img
        src={drawing}
        width="168"
        height="132"
        alt=""
        // Offline the text stands alone.
        onError={({ currentTarget }) => (currentTarget.hidden = true)}
      />
      <h2 className="sub-title">{title}</h2>
      <div className="small quiet">{children}</div>
      {action && <div className={styles.action}>{action}</div>}
    </div>
  );
}
