/** Days of Colombian law are days here, wherever the organisation is. */
export const COLOMBIA = 'America/Bogota';
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
  return named && !named.startsWith('%') ? named : COLOMBIA;
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
  return localTime(new Date(instant), organisationOffsetMs);
}

/** The day of an instant in any time zone. @param timeZone IANA */
export const dayIn = (instant: Date, timeZone: string): string =>
  localTime(instant, offsetsIn(timeZone)).slice(0, 10);

/** @param day "2026-11-21" */
export const daysLater = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/**
 * An hour of a day in any time zone. An hour that comes twice is its first; one that a clock change skips is the next time
 * that exists.
 * @param day "2026-11-21"
 * @param timeZone IANA
 */
export function instantIn(day: string, hour: number, timeZone: string): Date {
  const offsetMs = offsetsIn(timeZone);
  const local = Date.parse(`${day}T00:00:00Z`) + hour * 60 * 60 * 1000;
  const offsets = [-DAY_MS, DAY_MS].map((apart) => offsetMs(new Date(local + apart)));
  const found = offsets
    .map((offset) => local - offset)
    .filter((at) => at + offsetMs(new Date(at)) === local)
    .sort((a, b) => a - b);
  if (found[0] !== undefined) return new Date(found[0]);
  // The moment of the clock change: the first after the skipped time.
  let [before, after] = [local - 2 * DAY_MS, local + 2 * DAY_MS];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (middle + offsetMs(new Date(middle)) < local) before = middle;
    else after = middle;
  }
  return new Date(after);
}

/**
 * First instant of the organization's day.
 * @param day "2026-11-21"
 * @returns undefined for an impossible day such as 2026-02-30
 */
export function startOfDay(day: string): Date | undefined {
  const midnight = /^\d{4}-\d{2}-\d{2}$/.test(day) ? new Date(`${day}T00:00:00Z`) : new Date(NaN);
  if (Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, 10) !== day) return undefined;
  const guess = new Date(midnight.getTime() - organisationOffsetMs(midnight));
  // A clock change may lie between the two.
  return new Date(midnight.getTime() - organisationOffsetMs(guess));
}

/** First instant after the organization's day; undefined for an impossible day. */
export function endOfDay(day: string): Date | undefined {
  const start = startOfDay(day);
  if (!start) return undefined;
  const next = new Date(new Date(`${day}T00:00:00Z`).getTime() + DAY_MS);
  return startOfDay(next.toISOString().slice(0, 10)) ?? next;
}

type Offset = (instant: Date) => number;

const localTime = (instant: Date, offsetMs: Offset): string =>
  new Date(instant.getTime() + offsetMs(instant)).toISOString().slice(0, 19).replace('T', ' ');

let organisation: { zone: string; offsetMs: Offset } | undefined;

function organisationOffsetMs(instant: Date): number {
  const zone = organisationTimeZone();
  if (organisation?.zone !== zone) organisation = { zone, offsetMs: offsetsIn(zone) };
  return organisation.offsetMs(instant);
}

function offsetsIn(timeZone: string): Offset {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  return (instant) => {
    const name = format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign, hours = '0', minutes = '0'] = /([+-])(\d{2}):(\d{2})/.exec(name) ?? [];
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  };
}
