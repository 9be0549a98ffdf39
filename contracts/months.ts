/** Adds months at the same time of day in UTC, clamped to the last day of a shorter month. */
export function addMonths(instant: string, months: number): string {
  const from = new Date(instant);
  const to = new Date(from);
  to.setUTCDate(1);
  to.setUTCMonth(from.getUTCMonth() + months);
  to.setUTCDate(Math.min(from.getUTCDate(), daysOf(to.getUTCFullYear(), to.getUTCMonth())));
  return to.toISOString();
}

/** @param month 0 is January */
const daysOf = (year: number, month: number): number => new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
