import { COLOMBIA, dayIn, daysLater } from '@arboleda/contracts/time-zone.ts';
import { describe, expect, test } from '@jest/globals';
import { isBusinessDay, lastDayToWithdraw, refundBy, withdrawableUntil } from './deadline.ts';

/** Public holidays as the government's calendar has them, and the first of 2031, which deadlines of 2030 reach. */
const HOLIDAYS = new Set(
  `2026-01-01 2026-01-12 2026-03-23 2026-04-02 2026-04-03 2026-05-01 2026-05-18 2026-06-08 2026-06-15
   2026-06-29 2026-07-20 2026-08-07 2026-08-17 2026-10-12 2026-11-02 2026-11-16 2026-12-08 2026-12-25
   2027-01-01 2027-01-11 2027-03-22 2027-03-25 2027-03-26 2027-05-01 2027-05-10 2027-05-31 2027-06-07
   2027-07-05 2027-07-20 2027-08-07 2027-08-16 2027-10-18 2027-11-01 2027-11-15 2027-12-08 2027-12-25
   2028-01-01 2028-01-10 2028-03-20 2028-04-13 2028-04-14 2028-05-01 2028-05-29 2028-06-19 2028-06-26
   2028-07-03 2028-07-20 2028-08-07 2028-08-21 2028-10-16 2028-11-06 2028-11-13 2028-12-08 2028-12-25
   2029-01-01 2029-01-08 2029-03-19 2029-03-29 2029-03-30 2029-05-01 2029-05-14 2029-06-04 2029-06-11
   2029-07-02 2029-07-20 2029-08-07 2029-08-20 2029-10-15 2029-11-05 2029-11-12 2029-12-08 2029-12-25
   2030-01-01 2030-01-07 2030-03-25 2030-04-18 2030-04-19 2030-05-01 2030-06-03 2030-06-24 2030-07-01
   2030-07-20 2030-08-07 2030-08-19 2030-10-14 2030-11-04 2030-11-11 2030-12-08 2030-12-25
   2031-01-01 2031-01-06`.split(/\s+/),
);
const DAYS = Array.from({ length: 1826 }, (_, at) => daysLater('2026-01-01', at));
const isWorked = (day: string): boolean =>
  !HOLIDAYS.has(day) && ![0, 6].includes(new Date(`${day}T12:00:00Z`).getUTCDay());

test('covers every day of 2026 to 2030', () => {
  expect([DAYS[0], DAYS.at(-1)]).toEqual(['2026-01-01', '2030-12-31']);
});

test('works on Monday to Friday, except on the public holidays of Colombia', () => {
  expect(DAYS.filter(isBusinessDay)).toEqual(DAYS.filter(isWorked));
});

test('gives 14 days after the day of payment and at least five business days, whichever day that is', () => {
  const wrong = DAYS.filter((day) => {
    const last = lastDayToWithdraw(day);
    const between = Array.from({ length: 30 }, (_, at) => daysLater(day, at + 1)).filter(
      (one) => one <= last,
    );
    const isFifthBusinessDay = isWorked(last) && between.filter(isWorked).length === 5;
    return (
      between.length < 14 ||
      between.filter(isWorked).length < 5 ||
      (between.length > 14 && !isFifthBusinessDay)
    );
  });
  expect(wrong).toEqual([]);
});

test('ends at midnight in Colombia, and gives the money back within 14 days, whichever day it is', () => {
  const wrong = DAYS.filter((day) => {
    // Just after midnight and just before the next one, in Colombia.
    const moments = [`${day}T05:00:00.000Z`, `${daysLater(day, 1)}T04:59:59.999Z`];
    return moments.some((at) => {
      const until = `${daysLater(lastDayToWithdraw(day), 1)}T04:59:59.999Z`;
      return withdrawableUntil(at) !== until || refundBy(at) !== `${daysLater(day, 15)}T04:59:59.999Z`;
    });
  });
  expect(wrong).toEqual([]);
});

describe('for example', () => {
  test.each([
    ['a Friday', '2026-11-27', '2026-12-11'],
    ['a Saturday', '2026-11-28', '2026-12-12'],
    ['the day before the Immaculate Conception', '2026-12-07', '2026-12-21'],
    ['the Wednesday of Holy Week', '2026-04-01', '2026-04-15'],
    ['the end of a year', '2030-12-30', '2031-01-13'],
  ])('%s', (_name, day, last) => {
    expect(lastDayToWithdraw(day)).toBe(last);
    expect(dayIn(new Date(withdrawableUntil(`${day}T17:00:00Z`)), COLOMBIA)).toBe(last);
  });
});
