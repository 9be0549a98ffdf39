import { problemKind } from '@arboleda/contracts/problem-kinds.ts';
import { describe, expect, test } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import { admitted, countLateTurns, isLagging, openAdmission, overloaded, overloadOf } from './admission.ts';
import { openUploadBuffer } from './upload.ts';

const MAX = 16;

describe('one more request', () => {
  test.each([
    ['is taken by an idle process', { calls: 0, isLoopLate: false }, undefined],
    ['is the last one that fits', { calls: 15, isLoopLate: false }, undefined],
    ['is one too many', { calls: 16, isLoopLate: false }, 'calls'],
    ['goes where half of all wait', { calls: 8, callsOfPart: 8, isLoopLate: false }, 'part'],
    ['goes where fewer wait', { calls: 15, callsOfPart: 7, isLoopLate: false }, undefined],
    ['comes to a loop that is late with a few calls', { calls: 2, isLoopLate: true }, 'loop'],
    ['comes to a loop that is late by itself', { calls: 1, isLoopLate: true }, undefined],
  ] as const)('%s', (_what, load, overload) => {
    expect(overloadOf(load, MAX)).toBe(overload);
  });

  test('gets a random Retry-After when rejected', () => {
    expect([0, 0.5, 0.999].map((chance) => overloaded(chance).retryAfterSeconds)).toEqual([1, 3, 5]);
    expect(problemKind(overloaded(0).type).status).toBe(503);
  });
});

describe('an event loop', () => {
  const after = (...lateMs: number[]) => isLagging(lateMs.reduce(countLateTurns, 0));

  test('is not lagging after one late turn, however late', () => expect(after(0, 5_000, 3)).toBe(false));
  test('is lagging after several late turns in a row', () =>
    expect(after(3, 150, 200, 300, 180, 120)).toBe(true));
  test('is not lagging after one turn in time', () => expect(after(150, 200, 300, 180, 120, 2)).toBe(false));
});

test('a request counts until it has ended, and only once', () => {
  const admission = openAdmission(4);
  const ends = [admission.begin('slow'), admission.begin('slow')];
  expect(admission.overload('slow')).toBe('part');
  expect(admission.overload('quick')).toBeUndefined();
  ends[0]!();
  ends[0]!();
  expect(admission.calls()).toBe(1);
  expect(admission.overload('slow')).toBeUndefined();
});

test('work counts until it ends, successfully or not', async () => {
  const admission = openAdmission(1);
  const failing = admitted(admission, () => Promise.reject(new Error('broken')));
  await expect(admitted(admission, () => Promise.resolve())).rejects.toMatchObject({ type: 'overloaded' });
  await expect(failing).rejects.toThrow('broken');
  expect(await admitted(admission, () => Promise.resolve('done'))).toBe('done');
});

const pieces = (...sizes: number[]) => sizes.map((size) => Buffer.from(randomBytes(size)));

const copies = (all: readonly Buffer[]) => Buffer.concat(all);

const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('base64url');

describe('a file that arrives in chunks', () => {
  test.each([
    ['as long as was announced', 60_000],
    ['shorter', 1_000_000],
    ['longer', 10],
    ['of unknown length', 0],
  ])('%s is complete in the end, with its hash', (_name, expected) => {
    const all = pieces(1, 20_000, 39_999);
    const whole = copies(all);
    const buffer = openUploadBuffer(expected);
    for (const piece of all) buffer.add(piece);
    const { bytes, digest } = buffer.end();
    expect(bytes.equals(whole)).toBe(true);
    expect(digest).toBe(digestOf(whole));
  });

  test('without any chunk is empty', () => {
    const { bytes, digest } = openUploadBuffer(1_000).end();
    expect(bytes.length).toBe(0);
    expect(digest).toBe(digestOf(Buffer.alloc(0)));
  });

  test('frees the memory of its chunks, but not shared memory', () => {
    const [own] = pieces(100_000) as [Buffer];
    const shared = Buffer.alloc(100, 'a');
    const buffer = openUploadBuffer(0);
    const part = Buffer.from(own.buffer, 0, own.length);
    buffer.add(part);
    buffer.add(shared.subarray(10, 20));
    expect(part.length).toBe(0);
    expect(shared.toString()).toBe('a'.repeat(100));
    expect(buffer.end().bytes.length).toBe(100_010);
  });

  test('holds no memory once it is dropped or forgotten', () => {
    const dropped = openUploadBuffer(100);
    dropped.add(pieces(50)[0]!);
    dropped.drop();
    expect(dropped.end().bytes.length).toBe(0);

    const kept = openUploadBuffer(100);
    kept.add(pieces(50)[0]!);
    const { bytes, release: forget } = kept.end();
    forget();
    expect(bytes.length).toBe(0);
  });

  test('uses at most twice its length when more was announced', () => {
    const buffer = openUploadBuffer(15_000_000);
    buffer.add(pieces(1_000)[0]!);
    expect(buffer.end().bytes.buffer.byteLength).toBeLessThanOrEqual(2_000);
  });
});
