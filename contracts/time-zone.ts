const DEFAULT_TIME_ZONE = 'America/Bogota';
const DAY_MS = 24 * 60 * 60 * 1000;

interface Surroundings {
  process?: { env?: Record<string, string | undefined> };
  document?: { documentElement: { dataset: Record<string, string | undefined> } };
}

/**
 * The zone of the organisation, in which days begin and end and hours are told: an IANA name. On the server it is
 * ORGANISATION_TIME_ZONE; a page of the web app has it as `<html data-time-zone>`.
 */
export function organisationTimeZone(): string {
  const { process, document } = globalThis as Surroundings;
  const named = process?.env?.ORGANISATION_TIME_ZONE || document?.documentElement.dataset.timeZone;
  // Without a gateway before it, a page still carries the placeholder.
  return named && !named.startsWith('%') ? named : DEFAULT_TIME_ZONE;
}

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The day an instant falls on for the organisation: "2026-11-21". */
export const dayOf = (instant: string | number | Date): string => momentOf(instant).slice(0, 10);

/** An instant on the organisation's clock, to the second: "2026-11-21 20:15:09". */
export function momentOf(instant: string | number | Date): string {
  const date = new Date(instant);
  return new Date(date.getTime() + offsetMs(date)).toISOString().slice(0, 19).replace('T', ' ');
}

/**
 * The first instant of a day of the organisation.
 * @param day "2026-11-21"
 * @returns undefined when there is no such day, as 2026-02-30
 */
export function startOfDay(day: string): Date | undefined {
  const midnight = /^\d{4}-\d{2}-\d{2}$/.test(day) ? new Date(`${day}T00:00:00Z`) : new Date(NaN);
  if (Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, 10) !== day) return undefined;
  const guess = new Date(midnight.getTime() - offsetMs(midnight));
  // The clocks may have been put forward or back between the two.
  return new Date(midnight.getTime() - offsetMs(guess));
}

/** The first instant after a day of the organisation; undefined when there is no such day. */
export function endOfDay(day: string): Date | undefined {
  const start = startOfDay(day);
  if (!start) return undefined;
  const next = new Date(new Date(`${day}T00:00:00Z`).getTime() + DAY_MS);
  return startOfDay(next.toISOString().slice(0, 10)) ?? next;
}

let format: { zone: string; offset: Intl.DateTimeFormat } | undefined;

/** How far ahead of UTC the organisation's clock is. */
function offsetMs(instant: Date): number {
  const zone = organisationTimeZone();
  if (format?.zone !== zone) {
    const offset = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
    format = { zone, offset };
  }
  const name = format.offset.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours = '0', minutes = '0'] = /([+-])(\d{2}):(\d{2})/.exec(name) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}
