/** Formulas of product spec section 9. */

/** Trees in thousands: `50k+`; the number itself below a thousand; an ellipsis while unknown. */
export function treesFigure(trees: number | undefined): string {
  if (trees === undefined) return '…';
  return trees >= 1000 ? `${Math.round(trees / 1000)}k+` : String(trees);
}

export function hectaresFigure(trees: number | undefined): string {
  return trees === undefined ? '…' : `${Math.floor(trees / 100) + 3}+`;
}

export interface TimeLeft {
  hours: number;
  minutes: number;
  seconds: number;
}

/** Time until the visitor's next midnight. */
export function timeLeftToday(now: Date): TimeLeft {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
  const seconds = Math.ceil((midnight.getTime() - now.getTime()) / 1000);
  return { hours: Math.floor(seconds / 3600), minutes: Math.floor(seconds / 60) % 60, seconds: seconds % 60 };
}
