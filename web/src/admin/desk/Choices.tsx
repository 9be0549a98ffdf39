import type { ReactNode } from 'react';
import styles from './desk.module.css';

interface Props<Name extends string> {
  label: string;
  choices: readonly { name: Name; text: ReactNode }[];
  chosen: Name;
  onChoose: (name: Name) => void;
}

/** A few choices side by side of which one is always chosen. */
export function Choices<Name extends string>({ label, choices, chosen, onChoose }: Props<Name>) {
  return (
    <div role="group" aria-label={label} className={styles.choices}>
      {choices.map(({ name, text }) => (
        <button
          key={name}
          type="button"
          className={styles.choice}
          aria-pressed={name === chosen}
          onClick={() => onChoose(name)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}
