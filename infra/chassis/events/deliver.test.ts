import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { currentContext } from '../context.ts';
import type { EventHandler } from '../ports/event-bus.ts';
import { someEvent } from '../testing/events.ts';
import { deliver } from './deliver.ts';

const retries = { maxAttempts: 3, delaysMs: [20, 50], maxDelayMs: 50 };
const logger = pino({ level: 'silent' });
const fail: EventHandler = () => Promise.reject(new Error('not yet'));

/** One attempt, and what became of the event. */
async function attempt(event: unknown, handle: EventHandler, failed = 0) {
  const outcome: unknown[] = [];
  await deliver(
    {
      group: 'media',
      event,
      failed,
      retry: async (...again) => void outcome.push(['retry', ...again]),
      bury: async (error) => void outcome.push(['bury', String(error)]),
    },
    handle,
    { retries, logger },
  );
  return outcome;
}

test('an event that is handled needs nothing more', async () => {
  expect(await attempt(someEvent(), async () => undefined)).toEqual([]);
});

test('its handler acts in its name', async () => {
  const event = someEvent();
  let context: unknown;
  await attempt(event, async () => void (context = currentContext()));
  expect(context).toMatchObject({ correlationId: event.correlationId, causationId: event.id });
});

test('one that fails is tried again, each time later, and after the last try becomes a dead letter', async () => {
  expect(await attempt(someEvent(), fail)).toEqual([['retry', 1, 20]]);
  expect(await attempt(someEvent(), fail, 1)).toEqual([['retry', 2, 50]]);
  expect(await attempt(someEvent(), fail, 2)).toEqual([['bury', 'Error: not yet']]);
});

test.each([
  ['that breaks its schema', { ...someEvent(), data: {} }, /orderId/],
  ['of a type nobody knows', { ...someEvent(), type: 'never.heard_of' }, /type/],
  ['of another version', { ...someEvent(), version: 2 }, /known in version 1, this is version 2/],
  ['that is none at all', 'a word', /object/],
])('one %s becomes a dead letter at once, unseen by its handler', async (_, event, reason) => {
  let asked = 0;
  const outcome = await attempt(event, async () => void asked++);
  expect(outcome).toEqual([['bury', expect.stringMatching(reason)]]);
  expect(asked).toBe(0);
});

test('what cannot be stored is said to whoever delivers', async () => {
  const store = () => Promise.reject(new Error('away'));
  const delivery = { group: 'media', event: someEvent(), failed: 0, retry: store, bury: store };
  await expect(deliver(delivery, fail, { retries, logger })).rejects.toThrow('away');
});
