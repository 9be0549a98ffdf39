import { afterEach, expect, test } from '@jest/globals';
import { dayOf, endOfDay, isTimeZone, momentOf, organisationTimeZone, startOfDay } from './time-zone.ts';

const usual = process.env.ORGANISATION_TIME_ZONE;

afterEach(() => {
  if (usual === undefined) delete process.env.ORGANISATION_TIME_ZONE;
  else process.env.ORGANISATION_TIME_ZONE = usual;
});

test('the zone defaults to Colombia’s', () => {
  delete process.env.ORGANISATION_TIME_ZONE;
  expect(organisationTimeZone()).toBe('America/Bogota');
  process.env.ORGANISATION_TIME_ZONE = 'Asia/Kathmandu';
  expect(organisationTimeZone()).toBe('Asia/Kathmandu');
  expect(isTimeZone('Asia/Kathmandu')).toBe(true);
  expect(isTimeZone('Colombia/Salento')).toBe(false);
});

test('an evening belongs to its local day in Colombia', () => {
  expect(dayOf('2026-11-26T02:30:00Z')).toBe('2026-11-25');
  expect(momentOf('2026-11-26T02:30:15.250Z')).toBe('2026-11-25 21:30:15');
  expect(startOfDay('2026-11-25')!.toISOString()).toBe('2026-11-25T05:00:00.000Z');
  expect(endOfDay('2026-11-25')!.toISOString()).toBe('2026-11-26T05:00:00.000Z');
});

test('a day with a clock change has its own length', () => {
  process.env.ORGANISATION_TIME_ZONE = 'Europe/Madrid';
  expect(startOfDay('2026-03-29')!.toISOString()).toBe('2026-03-28T23:00:00.000Z');
  expect(endOfDay('2026-03-29')!.toISOString()).toBe('2026-03-29T22:00:00.000Z');
  expect(startOfDay('2026-10-25')!.toISOString()).toBe('2026-10-24T22:00:00.000Z');
  expect(endOfDay('2026-10-25')!.toISOString()).toBe('2026-10-25T23:00:00.000Z');
  process.env.ORGANISATION_TIME_ZONE = 'Asia/Kathmandu';
  expect(dayOf('2026-11-25T18:20:00Z')).toBe('2026-11-26');
});

test.each(['2026-02-30', '2026-13-01', 'today', '', '2026-1-1'])('%j is no day', (day) => {
  expect(startOfDay(day)).toBeUndefined();
  expect(endOfDay(day)).toBeUndefined();
});

test('the last representable day has an end', () => {
  expect(endOfDay('9999-12-31')!.getTime()).toBeGreaterThan(startOfDay('9999-12-31')!.getTime());
});
