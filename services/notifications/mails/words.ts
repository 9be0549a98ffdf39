import type { Coordinates } from '@arboleda/contracts/fields.ts';
import type { Language } from '@arboleda/contracts/roles.ts';

const LOCALES: Record<Language, string> = { en: 'en-US', es: 'es-CO' };
/** Everything happens in Colombia. */
const TIME_ZONE = 'America/Bogota';

/** "November 21, 2026", "21 de noviembre de 2026" */
export const day = (instant: string, language: Language): string =>
  new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'long', timeZone: TIME_ZONE }).format(
    new Date(instant),
  );

/** The same with the hour, and whose hour it is. */
export const moment = (instant: string, language: Language): string =>
  new Intl.DateTimeFormat(LOCALES[language], {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: TIME_ZONE,
    timeZoneName: 'short',
  }).format(new Date(instant));

const count = (number: number, language: Language): string =>
  new Intl.NumberFormat(LOCALES[language]).format(number);

/** "1 tree", "1,200 trees", "5 árboles" */
export const trees = (number: number, language: Language): string => {
  const words = { en: ['tree', 'trees'], es: ['árbol', 'árboles'] }[language];
  return `${count(number, language)} ${words[number === 1 ? 0 : 1]}`;
};

/** "1 new photo", "3 fotos nuevas" */
export const newPhotos = (number: number, language: Language): string => {
  const words = { en: ['new photo', 'new photos'], es: ['foto nueva', 'fotos nuevas'] }[language];
  return `${count(number, language)} ${words[number === 1 ? 0 : 1]}`;
};

/** What one is greeted by. */
export const firstName = (name: string): string => name.trim().split(/\s+/)[0] ?? '';

/** Six decimals, not localised: to be copied into a map. */
export const point = ({ latitude, longitude }: Coordinates): string =>
  `${latitude.toFixed(6)}, ${longitude.toFixed(6)}`;
