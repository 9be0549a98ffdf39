import { describe, expect, test } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import { openGathering } from './gathering.ts';

const pieces = (...sizes: number[]) => sizes.map((size) => Buffer.from(randomBytes(size)));
const copies = (all: readonly Buffer[]) => Buffer.concat(all);
const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('base64url');

describe('a file that comes in pieces', () => {
  test.each([
    ['as long as was announced', 60_000],
    ['shorter', 1_000_000],
    ['longer', 10],
    ['of unknown length', 0],
  ])('%s is whole in the end, with its hash', (_name, expected) => {
    const all = pieces(1, 20_000, 39_999);
    const whole = copies(all);
    const gathering = openGathering(expected);
    for (const piece of all) gathering.add(piece);
    const { bytes, digest } = gathering.end();
    expect(bytes.equals(whole)).toBe(true);
    expect(digest).toBe(digestOf(whole));
  });

  test('without any is empty', () => {
    const { bytes, digest } = openGathering(1_000).end();
    expect(bytes.length).toBe(0);
    expect(digest).toBe(digestOf(Buffer.alloc(0)));
  });

  test('gives the memory of its pieces back, but not what they share with others', () => {
    const [own] = pieces(100_000) as [Buffer];
    const shared = Buffer.alloc(100, 'a');
    const gathering = openGathering(0);
    const part = Buffer.from(own.buffer, 0, own.length);
    gathering.add(part);
    gathering.add(shared.subarray(10, 20));
    expect(part.length).toBe(0);
    expect(shared.toString()).toBe('a'.repeat(100));
    expect(gathering.end().bytes.length).toBe(100_010);
  });

  test('holds nothing once it is dropped or forgotten', () => {
    const dropped = openGathering(100);
    dropped.add(pieces(50)[0]!);
    dropped.drop();
    expect(dropped.end().bytes.length).toBe(0);

    const kept = openGathering(100);
    kept.add(pieces(50)[0]!);
    const { bytes, forget } = kept.end();
    forget();
    expect(bytes.length).toBe(0);
  });

  test('takes no more than twice its length where much more was announced', () => {
    const gathering = openGathering(15_000_000);
    gathering.add(pieces(1_000)[0]!);
    expect(gathering.end().bytes.buffer.byteLength).toBeLessThanOrEqual(2_000);
  });
});
