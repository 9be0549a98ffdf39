import { startOfDay } from '@arboleda/contracts/time-zone.ts';
import { useTranslation } from 'react-i18next';
import { localeOf } from '../../i18n/languages.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

type Unit = 'minute' | 'hour' | 'day';

/** The two largest units of a duration: days and hours, or hours and minutes. */
function partsOf(ms: number): [Unit, number][] {
  const days = Math.floor(ms / DAY_MS);
  const hours = Math.floor((ms % DAY_MS) / HOUR_MS);
  const minutes = Math.max(0, Math.floor((ms % HOUR_MS) / MINUTE_MS));
  const parts: [Unit, number][] =
    days > 0
      ? [
          ['day', days],
          ['hour', hours],
        ]
      : hours > 0
        ? [
            ['hour', hours],
            ['minute', minutes],
          ]
        : [['minute', minutes]];
  return parts.filter(([, count], at) => at === 0 || count > 0);
}

/** "19 hr 20 min" in the language's format. */
export function durationText(ms: number, language: string): string {
  const locale = localeOf(language);
  return partsOf(Math.max(0, ms))
    .map(([unit, count]) =>
      new Intl.NumberFormat(locale, {
        style: 'unit',
        unit,
        unitDisplay: unit === 'day' ? 'long' : 'short',
      }).format(count),
    )
    .join(' ');
}

export function useAge(): (since: string, now?: number) => string {
  const { i18n } = useTranslation();
  return (since, now = Date.now()) => durationText(now - Date.parse(since), i18n.language);
}

/** Start of an organization day as an instant: "2026-11-22" → "2026-11-22T05:00:00.000Z". */
export const instantOfDay = (day: string): string => startOfDay(day)!.toISOString();
