import type { Language } from './roles.ts';

/** Regional formats of screens, emails and receipts: English with the day first, Colombian Spanish. */
export const LOCALES: Record<Language, string> = { en: 'en-001', es: 'es-CO' };

/** One style for each use of a date, formatted by `Intl`. */
export const DATE_STYLES = {
  /** "12 December 2026" */
  day: { dateStyle: 'long' },
  /** "12 December 2026 at 9:40 am" */
  moment: { dateStyle: 'long', timeStyle: 'short' },
  /** The same with its time zone, for readers anywhere: styles exclude a zone. */
  momentWithZone: {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  },
  /** "30 Nov": for current work */
  shortDay: { day: 'numeric', month: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;
