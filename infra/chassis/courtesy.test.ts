import { expect, test } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import { type Courtesy, openCourtesy } from './courtesy.ts';

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
  const courtesy = openCourtesy({ mostMs: MOST_MS });
  courtesy.begin();
  const since = performance.now();
  await courtesy.afterOthers(since - MOST_MS, nothing);
  expect(performance.now() - since).toBeLessThan(MOST_MS);
  await courtesy.afterOthers(since, nothing);
  // Timers may be a millisecond early.
  expect(performance.now() - since).toBeGreaterThan(MOST_MS - 2);
});

test('closing lets all go on', async () => {
  const courtesy = openCourtesy({ mostMs: LONG_MS });
  courtesy.begin();
  const mails = [patient(courtesy), patient(courtesy), patient(courtesy)];
  courtesy.close();
  await Promise.all(mails.map(({ on }) => on));
  await courtesy.afterOthers(performance.now(), nothing);
});
