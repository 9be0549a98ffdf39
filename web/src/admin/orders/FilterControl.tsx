import { type InputHTMLAttributes, type ReactNode, useId } from 'react';
import styles from './Toolbar.module.css';
import type { kindOf } from './use-listing.ts';

export interface Option {
  value: string;
  text: string;
}

export interface Words {
  label: string;
  /** The choice of all, and the others; for a filter that is chosen. */
  any?: string;
  options?: readonly Option[];
}

interface ControlProps extends Words {
  kind: ReturnType<typeof kindOf>;
  value: string;
  input: InputHTMLAttributes<HTMLInputElement> | undefined;
  onChange: (value: string) => void;
}

/** A filter in the bar: choices, a day, or a button that is on or off. */
export function Control({ label, any, options, kind, value, input, onChange }: ControlProps) {
  if (options)
    return (
      <Labelled label={label}>
        {(id) => (
          <select
            id={id}
            className={`${styles.input} ${value ? styles.inUse : ''}`}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          >
            <option value="">{any}</option>
            {options.map((one) => (
              <option key={one.value} value={one.value}>
                {one.text}
              </option>
            ))}
          </select>
        )}
      </Labelled>
    );
  if (kind === 'yesOrNo')
    return (
      <Toggle on={value !== ''} onSwitch={(on) => onChange(on ? 'true' : '')}>
        {label}
      </Toggle>
    );
  return (
    <Labelled label={label} isShown>
      {(id) => (
        <input
          {...input}
          id={id}
          type="date"
          className={styles.input}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Labelled>
  );
}

/** A filter that is on or off. */
export function Toggle({
  on,
  onSwitch,
  children,
}: {
  on: boolean;
  onSwitch: (on: boolean) => void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      className={`${styles.input} ${styles.toggle} ${on ? styles.inUse : ''}`}
      aria-pressed={on}
      onClick={() => onSwitch(!on)}
    >
      {children}
    </button>
  );
}

function Labelled({
  label,
  isShown = false,
  children,
}: {
  label: string;
  isShown?: boolean;
  children: (id: string) => ReactNode;
}) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={isShown ? '' : 'visually-hidden'}>
        {label}
      </label>
      {children(id)}
    </div>
  );
}
