import type { ReactNode } from 'react';
import styles from './Facts.module.css';

export interface Fact {
  label: ReactNode;
  value: ReactNode;
}

interface Props {
  rows: readonly Fact[];
  /** beside: label left, value right. above: label over its value. */
  labels?: 'beside' | 'above';
}

export function Facts({ rows, labels = 'beside' }: Props) {
  return (
    <dl className={styles[labels]}>
      {rows.map(({ label, value }, at) => (
        <div key={at} className={styles.row}>
          <dt className={styles.label}>{label}</dt>
          <dd className={styles.value}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
