import { useId, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import styles from './BarChart.module.css';
import { ceilingOf } from './overview.ts';

export interface Bar {
  /** "12 November 2026" */
  label: string;
  value: number;
  /** "3 orders, 25 trees" */
  text: string;
  /** Address of the list behind the value. */
  to?: string;
}

interface Props {
  title: string;
  bars: readonly Bar[];
  /** Formats the top of the scale. */
  scale: (value: number) => string;
}

const STEP: Record<string, number> = {
  ArrowRight: 1,
  ArrowUp: 1,
  ArrowLeft: -1,
  ArrowDown: -1,
  PageUp: 7,
  PageDown: -7,
};

/**
 * Bar chart of daily values. One tab stop: arrow keys move between days as on a slider, and the current day's values
 * are text. A table repeats all values.
 */
export function BarChart({ title, bars, scale }: Props) {
  const { t } = useTranslation('panels');
  const id = useId();
  const last = bars.length - 1;
  const [picked, setPicked] = useState(last);
  const at = Math.min(Math.max(picked, 0), last);
  const end = ceilingOf(bars.map(({ value }) => value));
  const bar = bars[at];
  const onKeyDown = (event: KeyboardEvent) => {
    const target = { Home: 0, End: last }[event.key] ?? (STEP[event.key] ? at + STEP[event.key]! : undefined);
    if (target === undefined) return;
    event.preventDefault();
    setPicked(Math.min(Math.max(target, 0), last));
  };
  const onPoint = (event: PointerEvent<HTMLDivElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    setPicked(Math.floor(((event.clientX - left) / width) * bars.length));
  };
  return (
    <figure className={styles.chart} aria-labelledby={id}>
      <figcaption id={id} className={styles.title}>
        {title}
      </figcaption>
      <p className={styles.readout}>
        <span className="quiet">{bar?.label}</span>{' '}
        <strong className="tabular">{bar && <Value bar={bar} />}</strong>
      </p>
      <div className={styles.plot}>
        <span className={`quiet tabular ${styles.end}`}>{scale(end)}</span>
        <div
          className={styles.bars}
          role="slider"
          tabIndex={0}
          aria-label={title}
          aria-valuemin={0}
          aria-valuemax={last}
          aria-valuenow={at}
          aria-valuetext={bar && `${bar.label}: ${bar.text}`}
          onKeyDown={onKeyDown}
          onPointerMove={onPoint}
          onPointerDown={onPoint}
        >
          <svg viewBox={`0 0 ${bars.length} 100`} preserveAspectRatio="none" aria-hidden="true">
            {bars.map(({ value, label }, index) => {
              // Small values stay visible.
              const height = value === 0 ? 0 : Math.max(1.5, (value / end) * 100);
              return (
                <g key={label} className={index === at ? styles.picked : styles.bar}>
                  {index === at && <rect x={index} y={0} width={1} height={100} className={styles.column} />}
                  <rect x={index + 0.14} y={100 - height} width={0.72} height={height} />
                </g>
              );
            })}
          </svg>
        </div>
      </div>
      <p className={`quiet least ${styles.span}`}>
        <span>{bars[0]?.label}</span>
        <span>{bars[last]?.label}</span>
      </p>
      <details>
        <summary className="quiet">{t('overview.asTable')}</summary>
        <table className={styles.table}>
          <caption className="visually-hidden">{title}</caption>
          <thead>
            <tr>
              <th scope="col">{t('overview.day')}</th>
              <th scope="col">{t('overview.value')}</th>
            </tr>
          </thead>
          <tbody>
            {bars.map((one) => (
              <tr key={one.label}>
                <th scope="row">{one.label}</th>
                <td className="tabular">
                  <Value bar={one} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

const Value = ({ bar: { text, to } }: { bar: Bar }) =>
  to === undefined ? text : <Link to={to}>{text}</Link>;
