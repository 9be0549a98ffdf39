import type { ReactNode } from 'react';
import { Icon } from './Icon.tsx';
import { check, plant } from './icons.ts';
import styles from './Timeline.module.css';

export interface TimelineStep {
  name: string;
  /** done: behind us; current: the latest that is done; ahead: still to come. */
  state: 'done' | 'current' | 'ahead';
  label: string;
  /** The real thing: a name, a place, an amount. */
  value: ReactNode;
  when: ReactNode;
  /** "Done" or "Still to come": what the dot says to the eye. */
  stateText: string;
}

/** An order's way: paid → assigned to → planted at → photos → growth. Stands on a forest panel. */
export function Timeline({ label, steps }: { label: string; steps: readonly TimelineStep[] }) {
  return (
    <ol className={styles.timeline} aria-label={label}>
      {steps.map(({ name, state, label: what, value, when, stateText }) => (
        <li
          key={name}
          className={`${styles.step} ${styles[state]}`}
          aria-current={state === 'current' ? 'step' : undefined}
        >
          <span className={styles.dot}>
            <Icon of={state === 'ahead' ? plant : check} size="small" />
          </span>
          <div className={styles.words}>
            <p className="small quiet">
              {what}
              <span className="visually-hidden">: {stateText}</span>
            </p>
            <p className={styles.value}>{value}</p>
            <p className="small quiet">{when}</p>
          </div>
        </li>
      ))}
    </ol>
  );
}
