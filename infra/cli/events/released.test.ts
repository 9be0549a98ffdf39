import { breakingChanges } from '@arboleda/contracts/events/compatibility.ts';
import { expect, test } from '@jest/globals';
import { publishedNow, readReleased } from './released.ts';

test('consumers of the last release can read today’s events', () => {
  expect(readReleased().length).toBeGreaterThan(30);
  expect(breakingChanges(readReleased(), publishedNow())).toEqual([]);
});
