import { type RefObject, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../design/components/Button.tsx';
import { Dialog } from '../../design/components/Dialog.tsx';
import styles from './ShortcutHelp.module.css';

/** Keyboard shortcuts of the list and when they apply. */
type ShortcutAction = 'search' | 'down' | 'up' | 'help';

const LETTERS: Record<string, ShortcutAction> = { '/': 'search', j: 'down', k: 'up', '?': 'help' };
const ARROWS: Record<string, ShortcutAction> = { ArrowDown: 'down', ArrowUp: 'up' };

interface Place {
  /** The user is typing or in a dialog, so keys are not shortcuts. */
  isTaken: boolean;
  /** A row has the focus, so arrows move. */
  isOnRow: boolean;
  /** Single-letter shortcuts can be switched off: WCAG 2.1.4. */
  lettersOn: boolean;
}

export function actionOf(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>,
  { isTaken, isOnRow, lettersOn }: Place,
): ShortcutAction | undefined {
  if (isTaken || event.ctrlKey || event.metaKey || event.altKey) return undefined;
  return (isOnRow ? ARROWS[event.key] : undefined) ?? (lettersOn ? LETTERS[event.key] : undefined);
}

/** Index of the next row; the first or last when no row has the focus. */
export function rowAfter(at: number, act: 'down' | 'up', rows: number): number {
  if (at < 0) return act === 'down' ? 0 : rows - 1;
  return Math.min(Math.max(at + (act === 'down' ? 1 : -1), 0), rows - 1);
}

const KEPT_AS = 'arboleda.admin.shortcuts';

function lettersAreOn(): boolean {
  try {
    return localStorage.getItem(KEPT_AS) !== 'off';
  } catch {
    return true;
  }
}

function keepLetters(on: boolean): void {
  try {
    localStorage.setItem(KEPT_AS, on ? 'on' : 'off');
  } catch {
    // Without storage the setting lasts as long as the page.
  }
}

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

const KEYS = [
  { name: 'search', keys: ['/'] },
  { name: 'move', keys: ['j', 'k', '↓', '↑'] },
  { name: 'open', keys: ['Enter'] },
  { name: 'close', keys: ['Esc'] },
  { name: 'help', keys: ['?'] },
] as const;

interface Props {
  open: boolean;
  onClose: () => void;
  lettersOn: boolean;
  onSwitch: (on: boolean) => void;
}

export function ShortcutHelp({ open, onClose, lettersOn, onSwitch }: Props) {
  const { t } = useTranslation('admin');
  const { t: common } = useTranslation();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('keys.title')}
      actions={<Button onClick={onClose}>{common('close')}</Button>}
    >
      <dl className={styles.keys}>
        {KEYS.map(({ name, keys }) => (
          <div key={name} className={styles.row}>
            <dt>{t(`keys.${name}`)}</dt>
            <dd className={styles.caps}>
              {keys.map((key) => (
                <kbd key={key} className={styles.key}>
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <label className={styles.switch}>
        <input type="checkbox" checked={lettersOn} onChange={(event) => onSwitch(event.target.checked)} />
        <span>{t('keys.letters')}</span>
      </label>
    </Dialog>
  );
}
