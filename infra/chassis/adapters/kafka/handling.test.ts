import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { pino } from 'pino';
import { MAX_DEATHS_ALONE, openCaution, SUSPECT_AFTER_DEATHS } from '../../caution.ts';
import type { EventHandlers } from '../../ports/event-bus.ts';
import { someEvent } from '../../testing/events.ts';
import { waitFor } from '../../testing/wait.ts';
import { openGraveyard, toDeadLetter, toGrave, tombstone } from './dead-letters.ts';
import { dueAt, openHandling } from './handling.ts';
import type { Commit, Incoming, Outgoing, Place } from './messages.ts';
import { breakWhenSilent } from './silence.ts';
import { openSuspicion } from './suspicion.ts';

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
  const now = jest.useFakeTimers().now();
  await handle(incoming(JSON.stringify(event), { headers: { traceparent: '00-1' } }));
  jest.useRealTimers();
  expect(sent).toHaveLength(1);
  const again = { ...incoming(String(sent[0]!.value)), ...sent[0], headers: sent[0]!.headers! } as Incoming;
  expect(again).toMatchObject({
    topic: 'media.retry.10s',
    key: 'k',
    headers: { failed: '1', traceparent: '00-1' },
  });
  expect(JSON.parse(again.value!)).toEqual(event);
  expect(dueAt(again)).toBe(now + 3_000);
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

const now = new Date('2026-05-01T12:00:00.000Z');

const failed = (value: string): Incoming => ({
  topic: 'payment.failed',
  partition: 0,
  offset: 3,
  key: 'k',
  value,
  headers: {},
});

/** The dead-letter topics of a broker, in memory. */
function fakeLog() {
  const log: Incoming[] = [];
  let reads = 0;
  return {
    append({ topic, key, value }: Outgoing) {
      const offset = log.filter((it) => it.topic === topic).length;
      log.push({ topic, partition: 0, offset, key, value: value ?? undefined, headers: {} });
    },
    reads: () => reads,
    client: {
      topics: async () => ['payment.failed', 'media.dead-letters', 'orders.dead-letters'],
      spans: async (topics: readonly string[]) =>
        topics.map((topic) => ({
          topic,
          partition: 0,
          low: 0,
          high: log.filter((it) => it.topic === topic).length,
        })),
      async read(spans: readonly { topic: string }[]) {
        reads += spans.length;
        return log.filter(({ topic }) => spans.some((span) => span.topic === topic));
      },
    },
  };
}

test('a dead letter tells the event as it came, the reason and the time', async () => {
  const log = fakeLog();
  const event = someEvent();
  log.append(toGrave('media', failed(JSON.stringify(event)), new Error('cannot digest'), now));
  const [buried] = await openGraveyard(log.client).list('media');
  expect(toDeadLetter(buried!)).toEqual({
    id: expect.any(String),
    group: 'media',
    event,
    error: 'Error: cannot digest',
    failedAt: '2026-05-01T12:00:00.000Z',
    place: { topic: 'payment.failed', partition: 0, offset: 3 },
  });
});

test('what is not JSON is told as text', async () => {
  const log = fakeLog();
  log.append(toGrave('media', failed('not { json'), new Error('not JSON'), now));
  expect((await openGraveyard(log.client).list()).map(toDeadLetter)).toMatchObject([{ event: 'not { json' }]);
});

test('those of all groups come oldest first, without those that were erased', async () => {
  const log = fakeLog();
  const graveyard = openGraveyard(log.client);
  const at = (second: number) => new Date(now.getTime() + second * 1_000);
  log.append(toGrave('orders', failed('b'), new Error('b'), at(2)));
  log.append(toGrave('media', failed('a'), new Error('a'), at(1)));
  log.append(toGrave('media', failed('c'), new Error('c'), at(3)));
  const all = await graveyard.list();
  expect(all.map(({ value }) => value)).toEqual(['a', 'b', 'c']);
  log.append(tombstone(all[0]!));
  expect((await graveyard.list()).map(({ value }) => value)).toEqual(['b', 'c']);
  expect((await graveyard.list('media')).map(({ value }) => value)).toEqual(['c']);
});

test('what has not changed is not read again', async () => {
  const log = fakeLog();
  const graveyard = openGraveyard(log.client);
  log.append(toGrave('media', failed('a'), new Error('a'), now));
  await graveyard.list();
  const before = log.reads();
  expect(await graveyard.list('media')).toHaveLength(1);
  expect(log.reads()).toBe(before);
});

const place: Place = { topic: 'order.created', partition: 0 };

const message = (offset: number): Incoming => ({
  ...place,
  offset,
  key: `k${offset}`,
  value: '',
  headers: {},
});

const held = (reached: number) => ({ reached: () => reached, lost: () => false });

/** What a broker keeps, whichever process wrote it. */
function aBroker() {
  let committed: Commit = { ...place, offset: 5 };
  const buried: number[] = [];
  const handled: number[] = [];
  /** A process; `dies` on the message of which it says so: what it then does never ends. */
  const start = (dies: (offset: number) => boolean = () => false) => {
    const suspicion = openSuspicion({
      caution: openCaution(60_000),
      logger: pino({ level: 'silent' }),
      read: async () => [committed],
      write: async (commit) => void (committed = commit),
      handle: ({ offset }) => {
        if (dies(offset)) return new Promise(() => undefined);
        handled.push(offset);
        return Promise.resolve();
      },
      bury: async ({ offset }) => void buried.push(offset),
    });
    const commit = (offset: number) => (committed = { ...place, offset, ...suspicion.noteOf(place) });
    return { ...suspicion, commit };
  };
  return { start, buried, handled, committed: () => committed };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

async function dieAt(broker: ReturnType<typeof aBroker>, poison: number, offsets: number[]) {
  const process = broker.start((offset) => offset === poison);
  for (const offset of offsets) void process.handle(message(offset), held(5));
  await settled();
}

test('what was in hand at some deaths is handled alone, and only what kills alone is counted', async () => {
  const broker = aBroker();
  for (let deaths = 0; deaths < SUSPECT_AFTER_DEATHS; deaths++) await dieAt(broker, 6, [6, 5]);
  expect(JSON.parse(broker.committed().note!)).toEqual({ starts: SUSPECT_AFTER_DEATHS, begun: [] });
  for (let deaths = 1; deaths <= MAX_DEATHS_ALONE; deaths++) {
    await dieAt(broker, 6, [6, 5]);
    expect(JSON.parse(broker.committed().note!).begun).toEqual([[6, deaths]]);
  }
  broker.handled.length = 0;
  const last = broker.start((offset) => offset === 6);
  await Promise.all([last.handle(message(6), held(5)), last.handle(message(5), held(5))]);
  expect(broker.buried).toEqual([6]);
  expect(broker.handled).toEqual([5]);
  expect(last.commit(7).note).toBeUndefined();
});

test('progress ends the suspicion of all but what was begun alone', async () => {
  const broker = aBroker();
  for (let deaths = 0; deaths <= SUSPECT_AFTER_DEATHS; deaths++) await dieAt(broker, 6, [5, 6]);
  const process = broker.start();
  await process.handle(message(5), held(5));
  expect(JSON.parse(process.commit(6).note!)).toEqual({ starts: 0, begun: [[6, 1]] });
  await process.handle(message(6), held(6));
  expect(process.commit(7)).toEqual({ ...place, offset: 7 });
});

test('a broker that keeps no notes holds nothing up', async () => {
  const handled: number[] = [];
  const suspicion = openSuspicion({
    caution: openCaution(),
    logger: pino({ level: 'silent' }),
    read: () => Promise.reject(new Error('away')),
    write: () => Promise.reject(new Error('away')),
    handle: async ({ offset }) => void handled.push(offset),
    bury: async () => undefined,
  });
  await suspicion.handle(message(5), held(5));
  expect(handled).toEqual([5]);
});

describe('a broker that says nothing', () => {
  const HEARTBEAT = 12;

  const JOIN_GROUP = 11;

  let broker: Server;

  let socket: Socket;

  let answers: boolean;

  beforeEach(async () => {
    answers = true;
    broker = createServer((peer) => peer.on('data', (asked) => answers && peer.write(asked)));
    broker.listen(0, '127.0.0.1');
    await once(broker, 'listening');
    socket = connect((broker.address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    breakWhenSilent(socket, { silentMs: 100, patientMs: 400 });
  });

  afterEach(async () => {
    jest.useRealTimers();
    socket.destroy();
    await new Promise((resolve) => broker.close(resolve));
  });

  function ask(apiKey: number): void {
    const request = Buffer.alloc(14);
    request.writeInt32BE(10, 0);
    request.writeInt16BE(apiKey, 4);
    socket.write(request);
  }

  test('a connection breaks when what was asked is not answered', async () => {
    answers = false;
    ask(HEARTBEAT);
    const broken = once(socket, 'error') as Promise<[Error]>;
    jest.advanceTimersByTime(100);
    expect((await broken)[0].message).toBe('nothing was heard for 100 ms');
  });

  test('it stays while it is answered, and while nothing is asked', async () => {
    for (let turn = 0; turn < 5; turn++) {
      ask(HEARTBEAT);
      await once(socket, 'data');
      jest.advanceTimersByTime(50);
    }
    jest.advanceTimersByTime(200);
    expect(socket.destroyed).toBe(false);
  });

  test('a group may take longer to gather', async () => {
    answers = false;
    ask(JOIN_GROUP);
    jest.advanceTimersByTime(399);
    expect(socket.destroyed).toBe(false);
    const broken = once(socket, 'error') as Promise<[Error]>;
    jest.advanceTimersByTime(1);
    expect((await broken)[0].message).toBe('nothing was heard for 400 ms');
  });
});
