import { useId, useRef, type KeyboardEvent, type ReactNode } from 'react';
import styles from './Tabs.module.css';

export interface Tab<Name extends string> {
  name: Name;
  label: string;
  count?: string;
}

interface Props<Name extends string> {
  label: string;
  tabs: readonly Tab<Name>[];
  chosen: Name;
  onChoose: (name: Name) => void;
  children: ReactNode;
}

const STEP: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 };

/** Tabs of the ARIA pattern: arrow keys move, only the chosen tab is in the tab order. */
export function Tabs<Name extends string>({ label, tabs, chosen, onChoose, children }: Props<Name>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const at = tabs.findIndex(({ name }) => name === chosen);
    const last = tabs.length - 1;
    const target = { Home: 0, End: last }[event.key] ?? (STEP[event.key] ? at + STEP[event.key]! : undefined);
    if (target === undefined) return;
    event.preventDefault();
    const next = (target + tabs.length) % tabs.length;
    onChoose(tabs[next]!.name);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus();
  };
  return (
    <>
      <div ref={list} className={styles.list} role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map(({ name, label: text, count }) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            className={styles.tab}
            aria-selected={name === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={name === chosen ? 0 : -1}
            onClick={() => onChoose(name)}
          >
            {text}
            {count !== undefined && <span className={styles.count}>{count}</span>}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`}>
        {children}
      </div>
    </>
  );
}
