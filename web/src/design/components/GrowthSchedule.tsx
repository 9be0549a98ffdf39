import type { ReactNode } from 'react';
import styles from './GrowthSchedule.module.css';

/**
 * A visit on the axis: `at` is its position, 0 to 1. done: filled; due: ringed; ahead: filled in an offer, open
 * otherwise.
 */
export interface Mark {
  at: number;
  state: 'offered' | 'done' | 'due' | 'ahead';
}

export interface ScheduleAxis {
  /** Year labels and the positions of their middles, 0 to 1. */
  ticks: readonly { at: number; label: string }[];
  /** Position of an instant, 0 to 1. */
  place: (moment: string) => number;
}

interface Row {
  key: string;
  title: string;
  /** Content and advantages of the package. */
  detail: ReactNode;
  note?: ReactNode;
  marks: readonly Mark[];
  /** Text equivalent of the drawn dates. */
  words: string;
  price?: ReactNode;
  action?: ReactNode;
}

interface Props {
  label: string;
  ticks: ScheduleAxis['ticks'];
  rows: readonly Row[];
}

const left = (at: number) => ({ left: `${(at * 100).toFixed(2)}%` });

function Years({ ticks, className }: { ticks: ScheduleAxis['ticks']; className: string | undefined }) {
  return (
    <span className={`least quiet ${styles.years} ${className}`} aria-hidden="true">
      {ticks.map(({ at, label }) => (
        <span key={label} style={left(at)}>
          {label}
        </span>
      ))}
    </span>
  );
}

/** Packages on a shared axis of years: one dot per visit, with the dates as text below. */
export function GrowthSchedule({ label, ticks, rows }: Props) {
  return (
    <div className={`${styles.schedule} ${rows.some(({ action }) => action) ? '' : styles.bare}`}>
      <div className={styles.head} aria-hidden="true">
        <Years ticks={ticks} className={styles.shared} />
      </div>
      <ul aria-label={label}>
        {rows.map(({ key, title, detail, note, marks, words, price, action }) => (
          <li key={key} className={styles.row}>
            <div className={styles.what}>
              <p className={styles.title}>{title}</p>
              <p className="small quiet">{detail}</p>
              {note && <p className={`small ${styles.note}`}>{note}</p>}
            </div>
            <div className={styles.when}>
              <span className={styles.line} aria-hidden="true">
                {marks.map(({ at, state }, nth) => (
                  <span key={nth} className={`${styles.dot} ${styles[state]}`} style={left(at)} />
                ))}
              </span>
              <Years ticks={ticks} className={styles.own} />
              <p className="small">{words}</p>
            </div>
            {price && <p className={styles.price}>{price}</p>}
            {action && <div className={styles.action}>{action}</div>}
          </li>
        ))}
      </ul>
    </div>
  );
}
