import { describe, expect, test } from '@jest/globals';
import { gift, givenGift, givenThanks } from './fields.ts';
import { giftDayProblem, giftMoment } from './gift.ts';

const at = (instant: string) => new Date(instant);
const LONG_AGO = at('2020-01-01T00:00:00Z');
const moment = (deliverOn: string, timeZone: string, now = LONG_AGO) =>
  giftMoment({ deliverOn, timeZone }, now).toISOString();

describe('a gift is sent', () => {
  test.each([
    ['at nine in Bogotá', '2026-12-24', 'America/Bogota', '2026-12-24T14:00:00.000Z'],
    ['at nine in winter', '2026-12-24', 'Europe/Madrid', '2026-12-24T08:00:00.000Z'],
    ['at nine in summer', '2026-07-01', 'Europe/Madrid', '2026-07-01T07:00:00.000Z'],
    ['at nine of the day that loses an hour', '2026-03-29', 'Europe/Madrid', '2026-03-29T07:00:00.000Z'],
    ['at nine of the day that has an hour twice', '2026-10-25', 'Europe/Madrid', '2026-10-25T08:00:00.000Z'],
    ['a day before ours, far in the east', '2026-12-25', 'Pacific/Kiritimati', '2026-12-24T19:00:00.000Z'],
    ['at the end of ours, far in the west', '2026-12-24', 'Pacific/Pago_Pago', '2026-12-24T20:00:00.000Z'],
    ['by the half hour of India', '2026-12-24', 'Asia/Kolkata', '2026-12-24T03:30:00.000Z'],
    // Samoa went from 29 to 31 December.
    [
      'as the next day begins when its own is skipped',
      '2011-12-30',
      'Pacific/Apia',
      '2011-12-30T10:00:00.000Z',
    ],
  ])('%s', (_what, day, timeZone, expected) => {
    expect(moment(day, timeZone, at('2010-01-01T00:00:00Z'))).toBe(expected);
  });

  test('at once when nine has passed', () => {
    const now = at('2026-12-24T20:00:00.000Z');
    expect(moment('2026-12-24', 'America/Bogota', now)).toBe(now.toISOString());
    expect(moment('2026-12-20', 'America/Bogota', now)).toBe(now.toISOString());
  });
});

describe('a day', () => {
  const now = at('2026-11-27T03:00:00Z');
  test.each([
    // It is still the 26th in Bogotá, and the 27th in Madrid.
    ['2026-11-26', 'America/Bogota', undefined],
    ['2026-11-26', 'Europe/Madrid', 'gift-day-past'],
    ['2026-11-25', 'America/Bogota', 'gift-day-past'],
    ['2027-11-26', 'America/Bogota', undefined],
    ['2027-11-27', 'America/Bogota', 'gift-day-too-far'],
    ['2027-11-27', 'Europe/Madrid', undefined],
    ['9999-12-31', 'Europe/Madrid', 'gift-day-too-far'],
  ])('%s in %s may be chosen unless %s', (deliverOn, timeZone, problem) => {
    expect(giftDayProblem({ deliverOn, timeZone }, now)).toBe(problem);
  });
});

describe('what is written', () => {
  const GIFT = {
    recipientName: 'Olga',
    recipientEmail: 'Olga@Mail.test',
    message: 'For you.\nFrom us all.',
    language: 'es',
    card: 'valley',
    deliverOn: '2026-12-24',
    timeZone: 'Europe/Madrid',
  };
  const faults = (changes: object) => [
    ...new Set(givenGift.safeParse({ ...GIFT, ...changes }).error?.issues.map(({ path }) => path.join('.'))),
  ];

  test('is kept, the address in lower case', () => {
    expect(givenGift.parse(GIFT)).toEqual({ ...GIFT, recipientEmail: 'olga@mail.test' });
    expect(faults({ recipientEmail: null, message: '' })).toEqual([]);
  });

  test('loses invisible characters, which could turn the rest of a line around', () => {
    const read = givenGift.parse({ ...GIFT, recipientName: 'Ol\u202ega', message: 'For\u200b you\u2066' });
    expect([read.recipientName, read.message]).toEqual(['Olga', 'For you']);
  });

  test.each([
    ['no name', { recipientName: ' \u200b' }, 'recipientName'],
    ['a name with a line break', { recipientName: 'Olga\nBcc: all' }, 'recipientName'],
    ['a control character', { message: 'bell \u0007' }, 'message'],
    ['a lone surrogate', { message: '\ud800' }, 'message'],
    ['501 characters', { message: 'x'.repeat(501) }, 'message'],
    ['a link', { message: 'See https://evil.test' }, 'message'],
    ['a link in a name', { recipientName: 'evil.com' }, 'recipientName'],
    ['a phone number', { message: 'Call 601 555 1234' }, 'message'],
    ['an address that is none', { recipientEmail: 'olga' }, 'recipientEmail'],
    ['no address at all', { recipientEmail: undefined }, 'recipientEmail'],
    ['a drawing that we do not have', { card: 'cat' }, 'card'],
    ['a day that does not exist', { deliverOn: '2026-02-30' }, 'deliverOn'],
    ['a time zone that does not exist', { timeZone: 'Mars/Base' }, 'timeZone'],
  ])('is refused with %s', (_what, changes, field) => {
    expect(faults(changes)).toEqual([field]);
  });

  test('from before the rule is still read', () => {
    const kept = { ...GIFT, recipientEmail: 'olga@mail.test', message: 'See https://evil.test' };
    expect(gift.parse(kept)).toEqual(kept);
  });

  test('thanks are one to 300 characters', () => {
    expect(
      ['', ' ', 'x'.repeat(301), 'www.x', 'Thanks!'].map((text) => givenThanks.safeParse(text).success),
    ).toEqual([false, false, false, false, true]);
  });
});
