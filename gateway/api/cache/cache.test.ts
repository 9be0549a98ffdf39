import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { names, partOf } from './conditions.ts';
import { type Leases, openLeases } from './leases.ts';
import { openSharing } from './sharing.ts';
import { openVersions } from './versions.ts';

test.each([
  ['bytes=0-99', { start: 0, end: 99 }],
  ['bytes=100-', { start: 100, end: 999 }],
  ['bytes=-10', { start: 990, end: 999 }],
  ['bytes=990-5000', { start: 990, end: 999 }],
  ['bytes=999-999', { start: 999, end: 999 }],
  ['bytes=1000-', undefined],
  ['bytes=20-10', undefined],
  ['bytes=-0', undefined],
  ['bytes=-', undefined],
  ['bytes=0-1,5-6', undefined],
  ['bytes=a-b', undefined],
  ['lines=0-1', undefined],
])('of a thousand bytes %s is %j', (range, part) => {
  expect(partOf(range, 1_000)).toEqual(part);
});

test.each([
  ['"a"', true],
  ['"b", "a"', true],
  ['"b","a"', true],
  ['W/"a"', true],
  ['"b"', false],
  ['a', false],
  ['', false],
])('If-None-Match: %s names "a": %j', (header, named) => {
  expect(names(header, '"a"')).toBe(named);
  expect(names(header, 'W/"a"')).toBe(named);
});

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

describe('callers who ask at once', () => {
  const HANGS_AFTER_MS = 20;

  interface Caller {
    name: string;
    hasLeft?: boolean;
  }

  const callers = (...names: string[]): Caller[] => names.map((name) => ({ name }));

  let asked: string[];

  let answered: string[];

  let sharing: ReturnType<typeof openSharing<Caller, string>>;

  beforeEach(() => {
    jest.useFakeTimers();
    asked = [];
    answered = [];
    sharing = openSharing<Caller, string>({
      hangsAfterMs: HANGS_AFTER_MS,
      ask: ({ name }) => void asked.push(name),
      answer({ name }, answer) {
        if (answer === 'says nothing to b' && name === 'b') return false;
        answered.push(`${name}: ${answer}`);
        return true;
      },
      hasLeft: ({ hasLeft }) => hasLeft === true,
    });
  });

  afterEach(() => void jest.useRealTimers());

  const join = (ones: readonly Caller[], key = 'photo') => ones.forEach((one) => sharing.join(key, one));

  describe('who asks the same', () => {
    test('is asked for at once when nobody is, and else told what another is told', () => {
      const [a, b, c, d] = callers('a', 'b', 'c', 'd') as [Caller, Caller, Caller, Caller];
      join([a, b, c]);
      expect([asked, answered]).toEqual([['a'], []]);
      sharing.told('photo', a, 'same');
      expect([asked, answered]).toEqual([['a'], ['b: same', 'c: same']]);
      join([d]);
      expect(asked).toEqual(['a', 'd']);
    });

    test('is asked for alone when the answer says nothing to them', () => {
      const [a, b, c] = callers('a', 'b', 'c') as [Caller, Caller, Caller];
      join([a, b, c]);
      sharing.told('photo', a, 'says nothing to b');
      expect([asked, answered]).toEqual([['a', 'b'], ['c: says nothing to b']]);
    });

    test('is asked for alone when nothing comes of the call, or nothing for others', () => {
      const [a, b, c] = callers('a', 'b', 'c') as [Caller, Caller, Caller];
      join([a, b, c]);
      sharing.told('photo', a, undefined);
      expect([asked, answered]).toEqual([['a', 'b', 'c'], []]);
      for (const one of [b, c]) sharing.told('photo', one, 'same');
      expect(answered).toEqual([]);
    });

    test('and has left is not asked for', () => {
      const [a, b, c] = callers('a', 'b', 'c') as [Caller, Caller, Caller];
      join([a, b, c]);
      b.hasLeft = true;
      sharing.told('photo', a, undefined);
      expect(asked).toEqual(['a', 'c']);
    });

    test('is asked for one after the other while those who are asked for hang', () => {
      const [a, b, c, d] = callers('a', 'b', 'c', 'd') as [Caller, Caller, Caller, Caller];
      join([a, b, c, d]);
      b.hasLeft = true;
      jest.advanceTimersByTime(HANGS_AFTER_MS - 1);
      expect(asked).toEqual(['a']);
      jest.advanceTimersByTime(1);
      expect(asked).toEqual(['a', 'c']);
      sharing.told('photo', c, 'same');
      expect([asked, answered]).toEqual([['a', 'c'], ['d: same']]);
      join(callers('e', 'f'));
      jest.advanceTimersByTime(HANGS_AFTER_MS);
      sharing.told('photo', a, 'same, late');
      expect([asked, answered]).toEqual([
        ['a', 'c', 'e'],
        ['d: same', 'f: same, late'],
      ]);
      jest.advanceTimersByTime(HANGS_AFTER_MS);
      expect(asked).toHaveLength(3);
    });

    test('is not asked for with those who ask something else', () => {
      join(callers('a', 'b', 'c'));
      join(callers('d'), 'another photo');
      expect(asked).toEqual(['a', 'd']);
    });
  });
});

const KB = 1_000;

const version = (etag: string, bytes = 10 * KB) => ({ etag, bytes: Buffer.alloc(bytes, etag) });

const tags = (versions: readonly { etag: string }[]) => versions.map(({ etag }) => etag);

test('what was kept is held under its address', () => {
  const versions = openVersions(100 * KB);
  versions.keep('/a?w=320', version('a'));
  expect(versions.of('/a?w=320')).toEqual([version('a')]);
  expect(versions.of('/a?w=800')).toEqual([]);
});

test('however much is kept, no more than so many bytes are held', () => {
  const versions = openVersions(100 * KB);
  for (let photo = 0; photo < 1_000; photo++) {
    versions.keep(`/${photo}`, version('x', (photo % 20) * KB));
    expect(versions.size()).toBeLessThanOrEqual(100 * KB);
  }
  expect(versions.size()).toBeGreaterThan(50 * KB);
});

test('what was asked for the longest ago goes first', () => {
  const versions = openVersions(35 * KB);
  for (const url of ['/a', '/b', '/c']) versions.keep(url, version(url));
  versions.of('/a');
  versions.keep('/d', version('/d'));
  expect(['/a', '/b', '/c', '/d'].map((url) => versions.of(url).length)).toEqual([1, 0, 1, 1]);
});

test('the formats of a photo are held side by side, and of more versions the newest', () => {
  const versions = openVersions(100 * KB);
  for (const etag of ['jpeg', 'webp', 'avif', 'webp', 'newer']) versions.keep('/a', version(etag));
  expect(tags(versions.of('/a'))).toEqual(['newer', 'webp', 'avif']);
});

test('what takes the place of itself is counted once', () => {
  const versions = openVersions(100 * KB);
  versions.keep('/a', version('same'));
  const before = versions.size();
  versions.keep('/a', version('same'));
  expect(versions.size()).toBe(before);
});

test('what is larger than all the room is not held', () => {
  const versions = openVersions(5 * KB);
  versions.keep('/a', version('a'));
  expect([versions.of('/a'), versions.size()]).toEqual([[], 0]);
});

test('what is on its way has a quarter of the room, and gives it back', () => {
  const versions = openVersions(100 * KB);
  expect([versions.reserve(20 * KB), versions.reserve(10 * KB)]).toEqual([true, false]);
  versions.giveBack(20 * KB);
  expect(versions.reserve(25 * KB)).toBe(true);
});
