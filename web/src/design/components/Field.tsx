import {
  useId,
  type ComponentProps,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
} from 'react';
import { Icon } from './Icon.tsx';
import { warning } from './icons.ts';
import styles from './Field.module.css';

interface Frame {
  label: ReactNode;
  hint?: ReactNode;
  /** Problem and remedy; announced when it appears. */
  error?: ReactNode;
  /** Suffix of the label, such as "optional". */
  note?: ReactNode;
}

interface Wiring {
  id: string;
  className: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

function FieldFrame({
  label,
  hint,
  error,
  note,
  children,
}: Frame & { children: (wiring: Wiring) => ReactNode }) {
  const id = useId();
  const described = [error ? `${id}-error` : '', hint ? `${id}-hint` : ''].filter(Boolean).join(' ');
  return (
    <div className={styles.field}>
      <div className={styles.top}>
        <label className={styles.label} htmlFor={id}>
          {label}
        </label>
        {note && <span className={styles.note}>{note}</span>}
      </div>
      {children({
        id,
        className: `${styles.input} ${error ? styles.wrong : ''}`,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': described || undefined,
      })}
      <FieldError id={`${id}-error`}>{error}</FieldError>
      {hint && (
        <p className={styles.hint} id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** The error of a field in a permanent live region, so that new errors are announced. */
export function FieldError({ id, children }: { id?: string; children?: ReactNode }) {
  return (
    <div id={id} aria-live="polite">
      {children && (
        <p className={styles.error}>
          <Icon of={warning} />
          <span>{children}</span>
        </p>
      )}
    </div>
  );
}

/** Free text follows the direction of its script; addresses, numbers and dates keep their own. */
const directionOf = (type = 'text'): 'auto' | undefined =>
  type === 'text' || type === 'search' ? 'auto' : undefined;

export function Field({ label, hint, error, note, ...input }: Frame & ComponentProps<'input'>) {
  return (
    <FieldFrame label={label} hint={hint} error={error} note={note}>
      {(wiring) => <input dir={directionOf(input.type)} {...input} {...wiring} />}
    </FieldFrame>
  );
}

export function SelectField({
  label,
  hint,
  error,
  note,
  ...select
}: Frame & SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <FieldFrame label={label} hint={hint} error={error} note={note}>
      {(wiring) => <select {...select} {...wiring} className={`${wiring.className} ${styles.select}`} />}
    </FieldFrame>
  );
}

export function TextField({
  label,
  hint,
  error,
  note,
  ...area
}: Frame & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return (
    <FieldFrame label={label} hint={hint} error={error} note={note}>
      {(wiring) => <textarea dir="auto" rows={4} {...area} {...wiring} />}
    </FieldFrame>
  );
}
