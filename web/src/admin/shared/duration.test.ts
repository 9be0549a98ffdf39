import { expect, test } from '@jest/globals';
import { durationText } from './duration.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

test.each([
  [0, 'en', '0 mins'],
  [-5 * MINUTE, 'en', '0 mins'],
  [20 * MINUTE, 'es', '20 min'],
  [19 * HOUR + 20 * MINUTE, 'en', '19 hrs 20 mins'],
  [2 * HOUR, 'es', '2 h'],
  [50 * HOUR + 30 * MINUTE, 'en', '2 days 2 hrs'],
  [24 * HOUR, 'en', '1 day'],
  [72 * HOUR, 'es', '3 días'],
])('%d ms in %s are %j', (ms, language, text) => {
  expect(durationText(ms, language).replace(/\u00a0|\u202f/g, ' ')).toBe(text);
});
