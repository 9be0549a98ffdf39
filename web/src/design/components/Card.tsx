import type { ReactNode } from 'react';
import styles from './Card.module.css';

/** A thing on the page that one can choose, keep or close; facts need no box. */
export function Card({ children, className = '' }: { children: ReactNode; className?: string }) {
  return <div className={`${styles.card} ${className}`}>{children}</div>;
}
