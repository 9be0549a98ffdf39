const DEFAULT_TIME_ZONE = 'America/Bogota';
const DAY_MS = 24 * 60 * 60 * 1000;

interface Surroundings {
  process?: { env?: Record<string, string | undefined> };
  document?: { documentElement: { dataset: Record<string, string | undefined> } };
}

/**
 * IANA zone of the organization, which defines days and displayed times. Set by ORGANISATION_TIME_ZONE on the server
 * and by `<html data-time-zone>` in the web app.
 */
export function organisationTimeZone(): string {
  const { process, document } = globalThis as Surroundings;
  const named = process?.env?.ORGANISATION_TIME_ZONE || document?.documentElement.dataset.timeZone;
  // Without the gateway a page still contains the placeholder.
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

/** The organization's day of an instant: "2026-11-21". */
export const dayOf = (instant: string | number | Date): string => momentOf(instant).slice(0, 10);

/** The organization's local time to the second: "2026-11-21 20:15:09". */
export function momentOf(instant: string | number | Date): string {
  const date = new Date(instant);
  return new Date(date.getTime() + offsetMs(date)).toISOString().slice(0, 19).replace('T', ' ');
}

/**
 * First instant of the organization's day.
 * @param day "2026-11-21"
 * @returns undefined for an impossible day such as 2026-02-30
 */
export function startOfDay(day: string): Date | undefined {
  const midnight = /^\d{4}-\d{2}-\d{2}$/.test(day) ? new Date(`${day}T00:00:00Z`) : new Date(NaN);
  if (Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, 10) !== day) return undefined;
  const guess = new Date(midnight.getTime() - offsetMs(midnight));
  // A clock change may lie between the two.
  return new Date(midnight.getTime() - offsetMs(guess));
}

/** First instant after the organization's day; undefined for an impossible day. */
export function endOfDay(day: string): Date | undefined {
  const start = startOfDay(day);
  if (!start) return undefined;
  const next = new Date(new Date(`${day}T00:00:00Z`).getTime() + DAY_MS);
  return startOfDay(next.toISOString().slice(0, 10)) ?? next;
}

let format: { zone: string; offset: Intl.DateTimeFormat } | undefined;

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
