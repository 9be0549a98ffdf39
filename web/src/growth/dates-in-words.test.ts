import { expect, test } from '@jest/globals';
import { startI18n } from '../i18n/setup.ts';
import { datesInWords } from './dates-in-words.ts';
import { visitDates } from './schedule.ts';

const FIRST_YEAR = [3, 6, 12];
const THREE_YEARS = [0, 6, 12, 18, 24, 30, 36];

test.each([
  ['en', FIRST_YEAR, '2026-12-12', 'March, June and December 2027'],
  ['es', FIRST_YEAR, '2026-12-12', 'Marzo, junio y diciembre de 2027'],
  ['en', FIRST_YEAR, '2026-09-12', 'December 2026, March 2027 and September 2027'],
  ['es', FIRST_YEAR, '2026-09-12', 'Diciembre de 2026, marzo de 2027 y septiembre de 2027'],
  ['en', THREE_YEARS, '2026-12-12', 'Every June and December, December 2026 to December 2029'],
  ['es', THREE_YEARS, '2026-12-12', 'Cada junio y diciembre, de diciembre de 2026 a diciembre de 2029'],
  ['en', THREE_YEARS, '2027-03-12', 'Every March and September, March 2027 to March 2030'],
] as const)('%s %p from %s: %s', async (language, months, from, words) => {
  const i18n = await startI18n(language);
  await i18n.loadNamespaces('growth');
  const visits = visitDates(months, `${from}T15:00:00Z`, new Date('2020-01-01'))!;
  expect(datesInWords(visits, language, i18n.getFixedT(language, ['growth']))).toBe(words);
});
