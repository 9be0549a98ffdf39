import type { ReactNode } from 'react';
import styles from './Choices.module.css';

interface ChoicesProps<Name extends string> {
  label: string;
  choices: readonly { name: Name; text: ReactNode }[];
  chosen: Name;
  onChoose: (name: Name) => void;
}

export function Choices<Name extends string>({ label, choices, chosen, onChoose }: ChoicesProps<Name>) {
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
