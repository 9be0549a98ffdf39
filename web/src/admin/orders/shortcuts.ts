/** Keys of the list: what they do, and when they are left to the page. */
export type Act = 'search' | 'down' | 'up' | 'help';

const LETTERS: Record<string, Act> = { '/': 'search', j: 'down', k: 'up', '?': 'help' };
const ARROWS: Record<string, Act> = { ArrowDown: 'down', ArrowUp: 'up' };

interface Place {
  /** Somebody types, chooses or decides: the keys are theirs. */
  isTaken: boolean;
  /** The focus is on a row, where arrows move. */
  isOnRow: boolean;
  /** Single letters can be switched off, WCAG 2.1.4. */
  lettersOn: boolean;
}

export function actOf(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>,
  { isTaken, isOnRow, lettersOn }: Place,
): Act | undefined {
  if (isTaken || event.ctrlKey || event.metaKey || event.altKey) return undefined;
  return (isOnRow ? ARROWS[event.key] : undefined) ?? (lettersOn ? LETTERS[event.key] : undefined);
}

/** The row to go to from one; the first or last when none has the focus. */
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
    // In a browser that keeps nothing it holds as long as the page.
  }
}
