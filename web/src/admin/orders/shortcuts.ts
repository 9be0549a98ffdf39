/** Keyboard shortcuts of the list and when they apply. */
export type ShortcutAction = 'search' | 'down' | 'up' | 'help';

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

export function lettersAreOn(): boolean {
  try {
    return localStorage.getItem(KEPT_AS) !== 'off';
  } catch {
    return true;
  }
}

export function keepLetters(on: boolean): void {
  try {
    localStorage.setItem(KEPT_AS, on ? 'on' : 'off');
  } catch {
    // Without storage the setting lasts as long as the page.
  }
}
