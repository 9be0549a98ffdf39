import type { ReactNode } from 'react';
import styles from './Card.module.css';

/** Something to choose, keep or close; plain facts need no card. */
export function Card({ children, className = '' }: { children: ReactNode; className?: string }) {
  return <div className={`${styles.card} ${className}`}>{children}</div>;
}
