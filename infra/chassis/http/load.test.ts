import { PROBLEMS } from '@arboleda/contracts/problems.ts';
import { describe, expect, jest, test } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { type Courtesy, openCourtesy } from '../courtesy.ts';
import { openLimits } from '../limits.ts';
import { admitted, openAdmission, overloaded, overloadOf } from './admission.ts';
import { openGathering } from './gathering.ts';
import { isStanding, lateInARow } from './loop-watch.ts';

const MAX = 16;

describe('one more call', () => {
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

  test('is told when to come again, each at another moment', () => {
    expect([0, 0.5, 0.999].map((chance) => overloaded(chance).retryAfterSeconds)).toEqual([1, 3, 5]);
    expect(PROBLEMS[overloaded(0).type].status).toBe(503);
  });
});

describe('an event loop', () => {
  const after = (...lateMs: number[]) => isStanding(lateMs.reduce(lateInARow, 0));

  test('keeps up when it is late once, however much', () => expect(after(0, 5_000, 3)).toBe(false));
  test('does not keep up when it is late again and again', () =>
    expect(after(3, 150, 200, 300, 180, 120)).toBe(true));
  test('keeps up again after one turn in time', () => expect(after(150, 200, 300, 180, 120, 2)).toBe(false));
});

test('calls count until they are over, and once', () => {
  const admission = openAdmission(4);
  const ends = [admission.begin('slow'), admission.begin('slow')];
  expect(admission.overload('slow')).toBe('part');
  expect(admission.overload('quick')).toBeUndefined();
  ends[0]!();
  ends[0]!();
  expect(admission.calls()).toBe(1);
  expect(admission.overload('slow')).toBeUndefined();
});

test('work counts until it ends, well or not', async () => {
  const admission = openAdmission(1);
  const failing = admitted(admission, () => Promise.reject(new Error('broken')));
  await expect(admitted(admission, () => Promise.resolve())).rejects.toMatchObject({ type: 'overloaded' });
  await expect(failing).rejects.toThrow('broken');
  expect(await admitted(admission, () => Promise.resolve('done'))).toBe('done');
});

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

const LONG_MS = 60_000;

const MOST_MS = 200;

/** Begins when it may, and lasts until it is ended. */
function patient(courtesy: Courtesy) {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const one = { isOn: false, on: begun.promise, end, done: Promise.resolve() };
  one.done = courtesy.afterOthers(performance.now(), () => {
    one.isOn = true;
    begun.resolve();
    return ended;
  });
  return one;
}

const nothing = async () => undefined;

const someTurns = async () => {
  for (let n = 0; n < 5; n++) await turn();
};

test('with nobody to wait for, everything goes on at once, and gives what it gives', async () => {
  const courtesy = openCourtesy({ mostMs: MOST_MS });
  expect(await courtesy.afterOthers(performance.now(), async () => 'sent')).toBe('sent');
  const failing = courtesy.afterOthers(performance.now(), () => Promise.reject(new Error('refused')));
  await expect(failing).rejects.toThrow('refused');
});

test('what nobody waits for begins when the last one who is waited for is done', async () => {
  const courtesy = openCourtesy({ mostMs: LONG_MS });
  const ends = [courtesy.begin(), courtesy.begin()];
  const mail = patient(courtesy);
  ends[0]!();
  ends[0]!();
  await someTurns();
  expect(mail.isOn).toBe(false);
  ends[1]!();
  await mail.on;
  courtesy.close();
});

test('somebody who comes meanwhile is before the next', async () => {
  const courtesy = openCourtesy({ mostMs: LONG_MS });
  const end = courtesy.begin();
  const mails = [patient(courtesy), patient(courtesy)];
  let endOfNext: (() => void) | undefined;
  void mails[0]!.on.then(() => (endOfNext = courtesy.begin()));
  end();
  await mails[0]!.on;
  mails[0]!.end();
  await someTurns();
  expect(mails[1]!.isOn).toBe(false);
  endOfNext!();
  await mails[1]!.on;
});

test('two go on at a time, and the next one when one of them is done or has failed', async () => {
  const courtesy = openCourtesy({ mostMs: LONG_MS, holdsMs: LONG_MS });
  const mails = [patient(courtesy), patient(courtesy), patient(courtesy)];
  await someTurns();
  expect(mails.map(({ isOn }) => isOn)).toEqual([true, true, false]);
  mails[1]!.end();
  await mails[2]!.on;
  const fourth = patient(courtesy);
  await someTurns();
  expect(fourth.isOn).toBe(false);
  mails[0]!.end();
  await fourth.on;
  mails[2]!.end();
  fourth.end();
  await Promise.all([...mails, fourth].map(({ done }) => done));
});

test('what takes long holds up nobody', async () => {
  const courtesy = openCourtesy({ mostMs: LONG_MS, holdsMs: 300 });
  const slow = [patient(courtesy), patient(courtesy)];
  const next = patient(courtesy);
  await someTurns();
  expect(next.isOn).toBe(false);
  await next.on;
  // They are over only once, though both have been overtaken and come to their end.
  for (const one of slow) one.end();
  await Promise.all(slow.map(({ done }) => done));
  const others = [patient(courtesy), patient(courtesy)];
  await someTurns();
  expect(others.map(({ isOn }) => isOn)).toEqual([true, false]);
  for (const one of [next, ...others]) one.end();
});

test('however many are waited for, nothing waits for ever, and what is late already not at all', async () => {
  jest.useFakeTimers();
  try {
    const courtesy = openCourtesy({ mostMs: MOST_MS });
    courtesy.begin();
    await courtesy.afterOthers(performance.now() - MOST_MS, nothing);
    const mail = patient(courtesy);
    await jest.advanceTimersByTimeAsync(MOST_MS - 1);
    expect(mail.isOn).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(mail.isOn).toBe(true);
    mail.end();
    await mail.done;
  } finally {
    jest.useRealTimers();
  }
});

test('closing lets all go on', async () => {
  const courtesy = openCourtesy({ mostMs: LONG_MS });
  courtesy.begin();
  const mails = [patient(courtesy), patient(courtesy), patient(courtesy)];
  courtesy.close();
  await Promise.all(mails.map(({ on }) => on));
  await courtesy.afterOthers(performance.now(), nothing);
});

test('as many are taken as there are hands, and more when one is given back', () => {
  const limits = openLimits();
  limits.set('mail', 2);
  limits.set('variants', 1);
  expect([limits.take('mail'), limits.take('mail'), limits.take('mail')]).toEqual([true, true, false]);
  expect(limits.full()).toEqual(['mail']);
  limits.give('mail');
  expect(limits.full()).toEqual([]);
  expect([limits.take('mail'), limits.take('variants')]).toEqual([true, true]);
  expect(limits.full()).toEqual(['mail', 'variants']);
});

test('what is in hand still counts when the limit is set anew', () => {
  const limits = openLimits();
  limits.set('mail', 1);
  limits.take('mail');
  limits.set('mail', 2);
  expect([limits.take('mail'), limits.take('mail')]).toEqual([true, false]);
});

test('what was never declared cannot be taken', () => {
  expect(() => openLimits().take('unknown')).toThrow('unknown');
});
