import { type ReactNode, useId } from 'react';
import { Icon } from '../design/components/Icon.tsx';
import { caretRight } from '../design/components/icons.ts';
import styles from './TaskFrame.module.css';

interface Props {
  /** The current task is large and open; others are rows that open. */
  now: boolean;
  title: string;
  badge: ReactNode;
  since: ReactNode;
  /** Shown under the title of a closed row. */
  summary: ReactNode;
  children: ReactNode;
}

/** The current task, or a row that opens to one. */
export function TaskFrame({ now, title, badge, since, summary, children }: Props) {
  const headingId = useId();
  const heading = (
    <h3 id={headingId} className={styles.heading}>
      {title}
    </h3>
  );
  if (now) {
    return (
      <article className={styles.now} aria-labelledby={headingId}>
        <div className={styles.top}>
          {badge}
          {since}
        </div>
        {heading}
        {children}
      </article>
    );
  }
  return (
    <article className={styles.row} aria-labelledby={headingId}>
      <details>
        <summary className={styles.summary}>
          <div className={styles.words}>
            {heading}
            {summary}
            <div className={styles.top}>
              {badge}
              {since}
            </div>
          </div>
          <Icon of={caretRight} className={styles.caret} />
        </summary>
        <div className={styles.body}>{children}</div>
      </details>
    </article>
  );
}
