import { expect, test } from '@jest/globals';
import { type Leases, openLeases } from './leases.ts';

const MAX = 3;
let now = 0;
const open = (): Leases => openLeases(MAX, () => now);
const lease = (endsAt: number) => ({ etag: '"a"', head: [], endsAt });

test('a lease holds until it ends, and not at that moment', () => {
  const leases = open();
  leases.keep('a', lease(1_000));
  now = 999;
  expect(leases.of('a')).toEqual(lease(1_000));
  now = 1_000;
  expect(leases.of('a')).toBeUndefined();
  now = 0;
});

test('a lease is for who asks the same, and the next one takes its place', () => {
  const leases = open();
  leases.keep('a', lease(1_000));
  leases.keep('a', lease(2_000));
  expect([leases.of('a'), leases.of('b')]).toEqual([lease(2_000), undefined]);
});

test('of more than so many the oldest is forgotten', () => {
  const leases = open();
  for (const key of ['a', 'b', 'c', 'a', 'd']) leases.keep(key, lease(1_000));
  expect(['a', 'b', 'c', 'd'].map((key) => leases.of(key) !== undefined)).toEqual([true, false, true, true]);
});

test('what is too long to be kept by the thousand is not kept', () => {
  const leases = open();
  leases.keep('a'.repeat(1_025), lease(1_000));
  expect(leases.of('a'.repeat(1_025))).toBeUndefined();
});
