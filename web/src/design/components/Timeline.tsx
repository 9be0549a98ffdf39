import type { ReactNode } from 'react';
import { Icon } from './Icon.tsx';
import { check, plant } from './icons.ts';
import styles from './Timeline.module.css';

export interface TimelineStep {
  name: string;
  /** done: completed; current: the latest completed; ahead: to come. */
  state: 'done' | 'current' | 'ahead';
  label: string;
  value: ReactNode;
  when: ReactNode;
  /** "Done" or "Still to come", as the dot shows visually. */
  stateText: string;
}

/** Steps of an order: paid → assigned to → planted at → photos → growth. Placed on a forest panel. */
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
