import { type RefObject, useEffect, useState } from 'react';
import { actionOf, keepLetters, lettersAreOn, rowAfter } from './shortcuts.ts';

const TAKEN = 'input, select, textarea, [contenteditable], dialog, [role=combobox], [role=listbox]';

const isTaken = (target: EventTarget | null): boolean =>
  document.querySelector('dialog[open]') !== null ||
  (target instanceof Element && target.closest(TAKEN) !== null);

/** Keyboard control of the list: / searches, j and k or arrows move, Enter opens, ? helps. */
export function useShortcuts(
  search: RefObject<HTMLInputElement | null>,
  list: RefObject<HTMLElement | null>,
  onHelp: () => void,
) {
  const [lettersOn, setLettersOn] = useState(lettersAreOn);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
      const at = rows.findIndex((row) => row === document.activeElement);
      const act = actionOf(event, { isTaken: isTaken(event.target), isOnRow: at >= 0, lettersOn });
      if (!act) return;
      event.preventDefault();
      if (act === 'search') search.current?.focus();
      else if (act === 'help') onHelp();
      else rows[rowAfter(at, act, rows.length)]?.focus();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [search, list, onHelp, lettersOn]);
  return {
    lettersOn,
    switchLetters: (on: boolean) => {
      keepLetters(on);
      setLettersOn(on);
    },
  };
}
