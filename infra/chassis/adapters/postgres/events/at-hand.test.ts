import { afterEach, expect, test } from '@jest/globals';
import type { ArboledaEvent } from '@arboleda/contracts/events/index.ts';
import { pino } from 'pino';
import { anOrderId, someEvent } from '../../../testing/events.ts';
import { openCourtesy } from '../../../courtesy.ts';
import { gate } from '../../../testing/gate.ts';
import { waitFor } from '../../../testing/wait.ts';
import { type AtHand, openAtHand } from './at-hand.ts';

const queue = new Map<string, number>();
let atHand: AtHand;
afterEach(() => atHand.stop(0));

/** A group whose queue holds so many events. */
async function open(handle: (event: ArboledaEvent) => Promise<void>, queued = 0) {
  queue.set('planters', queued);
  atHand = openAtHand({
    queued: async () => new Map(queue),
    subscriptions: async () => [
      { consumer: 'planters', type: 'payment.failed' },
      { consumer: 'elsewhere', type: 'payment.failed' },
    ],
    courtesy: openCourtesy(),
    logger: pino({ level: 'silent' }),
  });
  await atHand.subscribe('planters', { handle, canWait: false });
}
const taken = () => waitFor(() => atHand.takes('planters'));

test('a group takes events when nothing of it is in the queue any more, and one of elsewhere never', async () => {
  await open(async () => undefined, 2);
  expect(atHand.wanting('payment.failed')).toEqual(['planters', 'elsewhere']);
  expect(atHand.takes('planters')).toBe(false);
  queue.set('planters', 0);
  await taken();
  expect(atHand.takes('elsewhere')).toBe(false);
});

test('takes none from the moment on at which one is about to be stored, until that is handled', async () => {
  await open(async () => undefined);
  await taken();
  const inserted = gate();
  const storing = atHand.whileStored(['planters', 'elsewhere'], () => inserted.opened);
  expect(atHand.takes('planters')).toBe(false);
  // It is not in the queue yet, where one looks ten times a second.
  await new Promise((resolve) => setTimeout(resolve, 250));
  expect(atHand.takes('planters')).toBe(false);
  queue.set('planters', 1);
  inserted.open();
  await storing;
  await new Promise((resolve) => setTimeout(resolve, 250));
  expect(atHand.takes('planters')).toBe(false);
  queue.set('planters', 0);
  await taken();
});

test('of one key the next begins when the one before has ended, also when that failed; others go on beside it', async () => {
  const slow = gate();
  const steps: string[] = [];
  await open(async ({ data }) => {
    const { reason } = data as { reason: string };
    steps.push(reason);
    if (reason !== 'first') return;
    await slow.opened;
    throw new Error('it failed');
  });
  await taken();
  const key = anOrderId();
  const given = [someEvent(key, 'first'), someEvent(key, 'second'), someEvent(anOrderId(), 'other')].map(
    (event) => atHand.give('planters', event),
  );
  await given[2];
  expect(steps).toEqual(['first', 'other']);
  expect(atHand.inHand('planters')).toBe(2);
  slow.open();
  await expect(given[0]).rejects.toThrow('it failed');
  await given[1];
  expect(steps).toEqual(['first', 'other', 'second']);
  expect(atHand.inHand('planters')).toBe(0);
});

test('ten are handled at a time, and what is too much for memory is for the queue', async () => {
  const held = gate();
  let begun = 0;
  await open(async () => {
    begun++;
    await held.opened;
  });
  await taken();
  const given: Promise<void>[] = [];
  while (atHand.takes('planters')) given.push(atHand.give('planters', someEvent()));
  expect(given).toHaveLength(1_000);
  await waitFor(() => begun === 10);
  held.open();
  await Promise.all(given);
  expect(begun).toBe(1_000);
});

test('a group that can wait lets those of others be handled first, however many it was given before', async () => {
  const steps: string[] = [];
  const held = gate();
  await open(async () => {
    await held.opened;
    steps.push('planted');
  });
  queue.set('mailers', 0);
  await atHand.subscribe('mailers', { handle: async () => void steps.push('mailed'), canWait: true });
  await taken();
  await waitFor(() => atHand.takes('mailers'));
  const planted = atHand.give('planters', someEvent());
  const mailed = Array.from({ length: 20 }, () => atHand.give('mailers', someEvent()));
  const later = atHand.give('planters', someEvent());
  held.open();
  await Promise.all([planted, later]);
  expect(steps).toEqual(['planted', 'planted']);
  await Promise.all(mailed);
});

test('stopping waits for what is in hand; what takes longer is told to be not handled', async () => {
  const [ends, never] = [gate(), gate()];
  await open(async ({ key }) => (key === stuck ? never.opened : ends.opened));
  const stuck = anOrderId();
  await taken();
  const given = Promise.allSettled([
    atHand.give('planters', someEvent()),
    atHand.give('planters', someEvent(stuck)),
  ]);
  const stopping = atHand.stop(50);
  expect(atHand.takes('planters')).toBe(false);
  ends.open();
  await stopping;
  expect((await given).map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
});
