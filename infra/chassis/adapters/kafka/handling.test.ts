import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import type { EventHandlers } from '../../ports/event-bus.ts';
import { someEvent } from '../../testing/events.ts';
import { waitFor } from '../../testing/wait.ts';
import { dueAt, openHandling } from './handling.ts';
import type { Incoming, Outgoing } from './messages.ts';

const incoming = (value: string | undefined, more: Partial<Incoming> = {}): Incoming => ({
  topic: 'payment.failed',
  partition: 0,
  offset: 0,
  key: 'k',
  value,
  headers: {},
  ...more,
});

function opened(handlers: EventHandlers, failures = 0) {
  const sent: Outgoing[] = [];
  const stop = new AbortController();
  let refuse = failures;
  const { handle } = openHandling({
    group: 'media',
    handlers,
    client: {
      async send(messages) {
        if (refuse-- > 0) throw new Error('away');
        sent.push(...messages);
      },
    },
    retries: { maxAttempts: 2, delaysMs: [3_000], maxDelayMs: 3_000 },
    logger: pino({ level: 'silent' }),
    signal: stop.signal,
  });
  return { handle, sent, stop };
}
const failing: EventHandlers = { 'payment.failed': () => Promise.reject(new Error('not yet')) };

test('a failed event is stored as it came, for the time its next try is due', async () => {
  const { handle, sent } = opened(failing);
  const event = { ...someEvent(), more: 'a field of a later version' };
  const before = Date.now();
  await handle(incoming(JSON.stringify(event), { headers: { traceparent: '00-1' } }));
  expect(sent).toHaveLength(1);
  const again = { ...incoming(String(sent[0]!.value)), ...sent[0], headers: sent[0]!.headers! } as Incoming;
  expect(again).toMatchObject({
    topic: 'media.retry.10s',
    key: 'k',
    headers: { failed: '1', traceparent: '00-1' },
  });
  expect(JSON.parse(again.value!)).toEqual(event);
  expect(dueAt(again)).toBeGreaterThanOrEqual(before + 3_000);
});

test('after the last try it becomes a dead letter', async () => {
  const { handle, sent } = opened(failing);
  const value = JSON.stringify(someEvent());
  await handle(incoming(value, { topic: 'media.retry.10s', headers: { failed: '1' } }));
  expect(sent).toMatchObject([{ topic: 'media.dead-letters' }]);
  expect(JSON.parse(String(sent[0]!.value))).toMatchObject({ key: 'k', value, error: 'Error: not yet' });
});

test('what cannot be stored is tried until it can: an event is never dropped', async () => {
  const { handle, sent } = opened(failing, 2);
  await handle(incoming(JSON.stringify(someEvent())));
  expect(sent).toHaveLength(1);
});

test('unless the process stops: then it is given back', async () => {
  const { handle, sent, stop } = opened(failing, Infinity);
  const handling = handle(incoming(JSON.stringify(someEvent())));
  stop.abort();
  await expect(handling).rejects.toThrow();
  expect(sent).toEqual([]);
});

test('an event that waited for its next try is handled whatever the topic, unless its type is given up', async () => {
  const heard: string[] = [];
  const { handle, sent } = opened({ 'payment.failed': async ({ id }) => void heard.push(id) });
  const event = someEvent();
  await handle(incoming(JSON.stringify(event), { topic: 'media.retry.1s' }));
  expect(heard).toEqual([event.id]);

  const indifferent = opened({});
  await indifferent.handle(incoming(JSON.stringify(event), { topic: 'media.retry.1s' }));
  expect([...sent, ...indifferent.sent]).toEqual([]);
});

test('an event in the topic of another type is not handled as that', async () => {
  const heard: string[] = [];
  const { handle, sent } = opened({ 'payment.failed': async ({ id }) => void heard.push(id) });
  await handle(incoming(JSON.stringify(someEvent()), { topic: 'order.created', headers: { failed: '1' } }));
  await waitFor(() => sent.length === 1);
  expect(JSON.parse(String(sent[0]!.value)).error).toContain('does not belong in order.created');
  expect(heard).toEqual([]);
});
