import { afterEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { type Courtesy, openCourtesy } from '../../../courtesy.ts';
import { type Limits, openLimits } from '../../../limits.ts';
import { gate } from '../../../testing/gate.ts';
import { waitFor } from '../../../testing/wait.ts';
import { type JobsAtHand, openJobsAtHand } from './at-hand.ts';
import type { Errand } from './errand.ts';

const due = new Set<string>();
let limits: Limits;
let courtesy: Courtesy;
let atHand: JobsAtHand;
afterEach(() => atHand.stop(0));

/** Mails of which so many are sent at once. */
async function open(run: (errand: Errand) => Promise<void>, most = 1): Promise<void> {
  limits = openLimits();
  limits.set('mail', most);
  courtesy = openCourtesy();
  atHand = openJobsAtHand({
    limits,
    due: async () => new Set(due),
    courtesy,
    logger: pino({ level: 'silent' }),
  });
  atHand.add('mail', run);
}
const taken = () => waitFor(() => atHand.takes('mail'));
const errand = (n: number, key?: string): Errand => ({
  payload: { n },
  attempt: 0,
  key,
  context: { correlationId: 'c' },
});

test('a kind is taken as soon as none of it waits in the queue, and not any more when one does', async () => {
  due.add('mail');
  await open(async () => undefined);
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(atHand.takes('mail')).toBe(false);
  due.clear();
  await taken();
  expect(atHand.takes('of others')).toBe(false);
  due.add('mail');
  await waitFor(async () => {
    if (!atHand.takes('mail')) return true;
    await atHand.give('mail', errand(1));
    return false;
  });
  due.clear();
});

test('as many are run at once as hands are free, those of the queue counted; the others wait for theirs', async () => {
  const begun: unknown[] = [];
  const slow = gate();
  await open(async ({ payload }) => {
    begun.push(payload.n);
    await slow.opened;
  }, 2);
  await taken();
  expect(limits.take('mail')).toBe(true);
  const given = [1, 2, 3].map((n) => atHand.give('mail', errand(n)));
  await waitFor(() => begun.length === 1);
  limits.give('mail');
  await waitFor(() => begun.length === 2);
  slow.open();
  await Promise.all(given);
  expect(begun).toEqual([1, 2, 3]);
});

test('somebody who is waited for goes first', async () => {
  const steps: unknown[] = [];
  await open(async () => void steps.push('mail'));
  await taken();
  const end = courtesy.begin();
  const given = atHand.give('mail', errand(1));
  await new Promise((resolve) => setTimeout(resolve, 20));
  steps.push('answer');
  end();
  await given;
  expect(steps).toEqual(['answer', 'mail']);
});

test('one whose key another has that waits takes its place, and both are done with it', async () => {
  const done: unknown[] = [];
  const slow = gate();
  await open(async ({ payload }) => {
    await slow.opened;
    done.push(payload.n);
  });
  await taken();
  const given = [errand(1, 'k'), errand(2, 'k'), errand(3, 'k'), errand(4, 'other')].map((one) =>
    atHand.give('mail', one),
  );
  slow.open();
  await Promise.all(given);
  expect(done).toEqual([1, 3, 4]);
});

test('one that could not be stored for another try has failed, and the next one goes on', async () => {
  await open(async ({ payload }) => {
    if (payload.n === 1) throw new Error('the database is away');
  });
  await taken();
  const [first, second] = [atHand.give('mail', errand(1)), atHand.give('mail', errand(2))];
  await expect(first).rejects.toThrow('the database is away');
  await second;
});

test('more than memory is for is for the queue', async () => {
  const slow = gate();
  await open(() => slow.opened);
  await taken();
  const given: Promise<void>[] = [];
  while (atHand.takes('mail')) given.push(atHand.give('mail', errand(given.length)));
  expect(given).toHaveLength(1_001);
  slow.open();
  await Promise.all(given);
});

test('what waits when it stops has failed at once, and what is begun when it takes too long', async () => {
  await open(() => new Promise(() => undefined));
  await taken();
  const given = [1, 2].map((n) => atHand.give('mail', errand(n)));
  const outcomes = Promise.allSettled(given);
  await atHand.stop(50);
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(atHand.takes('mail')).toBe(false);
});
