import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import { Icon } from '../../design/components/Icon.tsx';
import { magnifier } from '../../design/components/icons.ts';
import styles from './SearchBox.module.css';

const TYPING_MS = 300;

interface Props {
  label: string;
  /** Words from the address. */
  value: string;
  maxLength: number | undefined;
  /** @param replace replace the history's entry, so that going back from a search is one step */
  onSearch: (words: string, replace: boolean) => void;
  searchRef?: RefObject<HTMLInputElement | null>;
  /** A key that leads here. */
  shortcut?: string;
}

/** Searches when typing pauses, or on Enter. Going back in the browser restores earlier words. */
export function SearchBox({ label, value, maxLength, onSearch, searchRef, shortcut }: Props) {
  const id = useId();
  const [text, setText] = useState(value);
  const [asked, setAsked] = useState(value);
  const [seen, setSeen] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  if (value !== seen) {
    setSeen(value);
    if (value !== asked) {
      setAsked(value);
      setText(value);
    }
  }
  const ask = (wanted: string) => {
    clearTimeout(timer.current);
    if (wanted === value) return;
    setAsked(wanted);
    onSearch(wanted, value !== '' && wanted !== '');
  };
  return (
    <div className={styles.search}>
      <label htmlFor={id} className="visually-hidden">
        {label}
      </label>
      <Icon of={magnifier} />
      <input
        id={id}
        ref={searchRef}
        type="search"
        className={styles.input}
        placeholder={label}
        maxLength={maxLength}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={({ target: { value: typed } }) => {
          setText(typed);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => ask(typed.trim()), TYPING_MS);
        }}
        onKeyDown={(event) => event.key === 'Enter' && ask(text.trim())}
      />
      {shortcut && (
        <kbd className={styles.key} aria-hidden="true">
          {shortcut}
        </kbd>
      )}
    </div>
  );
}
