import { asyncApiDocument } from '@arboleda/contracts/asyncapi.ts';
import { toCloudEvent } from '@arboleda/contracts/events/cloud-event.ts';
import { eventCatalogue } from '@arboleda/contracts/events/catalogue.ts';
import type { NewEvent } from '@arboleda/contracts/events/index.ts';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { type CloudEvent, Kafka } from 'cloudevents';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { z } from 'zod';
import { openKafkaBus } from '../adapters/kafka/bus.ts';
import { openKafkaClient } from '../adapters/kafka/client.ts';
import { eventBusConformance, poisonEventConformance } from '../conformance/event-bus.ts';
import { toEnvelope } from '../events/envelope.ts';
import type { EventBus } from '../ports/event-bus.ts';
import type { RetryPolicy } from '../retry.ts';
import { startKafka, type TestKafka } from '../testing/containers/kafka.ts';
import { anOrderId, someEvent } from '../testing/events.ts';
import { gate } from '../testing/gate.ts';
import { waitFor } from '../testing/wait.ts';

const quick: RetryPolicy = { maxAttempts: 3, delaysMs: [20, 100], maxDelayMs: 200 };
const logger = pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' });
const SESSION_MS = 2_000;

/** On a busy machine a new broker takes long to set up its first groups. */
jest.setTimeout(120_000);

const run = promisify(execFile);
const PYTHON = join(import.meta.dirname, 'python');
const whereThereIsPython = spawnSync('python3', ['-m', 'pip', '--version']).status === 0 ? test : test.skip;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'arboleda-kafka-'));
});
afterAll(() => rm(folder, { recursive: true }));

let kafka: TestKafka;
let opened: EventBus[] = [];
beforeAll(async () => {
  kafka = await startKafka();
}, 120_000);
afterAll(() => kafka.stop());

async function open(retries = quick, sessionMs?: number): Promise<EventBus> {
  const session = sessionMs === undefined ? {} : { sessionMs };
  const bus = await openKafkaBus({
    brokers: kafka.brokers,
    ssl: false,
    partitions: 3,
    logger,
    retries,
    ...session,
  });
  opened.push(bus);
  return bus;
}
async function closeAll() {
  await Promise.all(opened.map((bus) => bus.close()));
  opened = [];
}

const engine = async () => ({
  attempts: quick.maxAttempts,
  connect: () => open(),
  environment: { KAFKA_BROKERS: kafka.brokers[0]! },
  close: closeAll,
});
eventBusConformance(engine);
poisonEventConformance(engine);

describe('the event bus on Kafka', () => {
  afterEach(closeAll);

  test('dead-letters an unknown event with the reason, and goes on', async () => {
    const bus = await open();
    const handled: string[] = [];
    await bus.subscribe('reader', { 'payment.failed': async (event) => void handled.push(event.id) });
    const key = anOrderId();
    const whole = someEvent(key);
    const message = toCloudEvent(whole);
    const garbage = [
      { ...message, value: 'not { json', reason: /not JSON/ },
      { ...message, value: null, reason: /not JSON/ },
      { ...message, value: '"a word"', reason: /object/ },
      { ...message, headers: {}, reason: /type/ },
      { ...toCloudEvent({ ...whole, version: 99 }), reason: /version 1, this is version 99/ },
      { ...message, value: JSON.stringify({ orderId: 'none' }), reason: /paymentId/ },
      { ...toCloudEvent({ ...whole, type: 'never.heard_of' }), reason: /type/ },
    ];
    const client = openKafkaClient({ brokers: kafka.brokers, ssl: false }, logger);
    await client.send(
      garbage.map(({ headers, value }) => ({ topic: 'payment.failed', key, headers, value })),
    );
    await client.close();
    await bus.publish([whole]);
    await waitFor(() => handled.includes(whole.id));
    const letters = await waitFor(async () => {
      const found = await bus.deadLetters('reader');
      return found.length >= garbage.length && found;
    });
    expect(letters).toHaveLength(garbage.length);
    for (const { reason } of garbage)
      expect(letters.map(({ error }) => error)).toContainEqual(expect.stringMatching(reason));
    expect(letters.map(({ event }) => event)).toContain('not { json');
    expect(handled).toEqual([whole.id]);

    expect(await bus.replay(letters[0]!.id)).toBe(true);
    const after = await waitFor(async () => {
      const found = await bus.deadLetters('reader');
      return found.length === garbage.length && !found.some(({ id }) => id === letters[0]!.id) && found;
    });
    expect(after.map(({ event }) => event)).toContainEqual(letters[0]!.event);
  });

  test('reads the messages between two offsets, and no others', async () => {
    const client = openKafkaClient({ brokers: kafka.brokers, ssl: false }, logger);
    const topic = 'between-offsets';
    await client.ensureTopics([{ topic, partitions: 1, settings: {} }]);
    const values = Array.from({ length: 9 }, (_, n) => `message ${n}`);
    await waitFor(() => client.send(values.map((value) => ({ topic, key: 'k', value }))).then(() => true));
    const [whole] = await client.spans([topic]);
    const span = { ...whole!, low: whole!.high - 5, high: whole!.high - 2 };
    // The coordinator of groups of a new broker comes a moment later.
    const found = await waitFor(() => client.read([span]));
    expect(found.map(({ value }) => value)).toEqual(values.slice(-5, -2));
    await client.close();
  });

  test('writes CloudEvents that their own SDK reads, and that fit the documented schema', async () => {
    const bus = await open();
    const event = {
      ...someEvent(),
      causationId: 'cause-1',
      traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
    };
    // Partitions of a new broker have their leaders a moment later.
    await waitFor(() => bus.publish([event]).then(() => true));
    const client = openKafkaClient({ brokers: kafka.brokers, ssl: false }, logger);
    const { key, headers, value } = await waitFor(async () =>
      (await client.read(await client.spans(['payment.failed']))).find(
        (one) => one.headers.ce_id === event.id,
      ),
    );
    await client.close();
    const message = { key, headers, value, body: value };
    const read = Kafka.toEvent(message) as CloudEvent<unknown>;
    expect(read.validate()).toBe(true);
    // Their optional attributes are there without a value.
    expect(read.toJSON()).toMatchObject({
      specversion: '1.0',
      id: event.id,
      type: 'payment.failed',
      source: '/services/payments',
      subject: event.key,
      time: event.occurredAt,
      datacontenttype: 'application/json',
      dataschema: 'urn:arboleda:event:payment.failed:1',
      partitionkey: event.key,
      sequence: String(event.sequence),
      correlationid: event.correlationId,
      causationid: 'cause-1',
      traceparent: event.traceparent,
      data: event.data,
    });
    const { schema } = eventCatalogue().find(({ type }) => type === read.type)!;
    expect(z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]).parse(read.data)).toEqual(
      event.data,
    );
  });

  whereThereIsPython('is read by a Python program that knows the AsyncAPI document alone', async () => {
    const lib = join(folder, 'lib');
    const pip = ['-m', 'pip', 'install', '--quiet', '--root-user-action=ignore', '--target', lib];
    await run('python3', [...pip, '--requirement', join(PYTHON, 'requirements.txt')]);
    const document = join(folder, 'asyncapi.json');
    const [host] = kafka.brokers as [string];
    await writeFile(
      document,
      JSON.stringify(
        asyncApiDocument({
          serverUrl: 'https://arboleda.example',
          kafkaHost: host,
          contactEmail: 'hola@arboleda.example',
        }),
      ),
    );
    const { type, example } = eventCatalogue().find((entry) => entry.type === 'payment.succeeded')!;
    const event = toEnvelope({ type, data: example.data } as NewEvent, 1, new Date());
    const bus = await open();
    await waitFor(() => bus.publish([event]).then(() => true));
    const { stdout } = await run('python3', [join(PYTHON, 'consumer.py'), host, document, type], {
      env: { ...process.env, PYTHONPATH: lib },
    });
    expect(JSON.parse(stdout)).toMatchObject({ id: event.id, type, subject: event.key, data: event.data });
  });

  test('keeps a failed event for its retry, also over a restart, and blocks no other', async () => {
    const patient: RetryPolicy = { maxAttempts: 3, delaysMs: [5_000], maxDelayMs: 5_000 };
    const earlier = await open(patient);
    const key = anOrderId();
    const [poison, ...healthy] = ['poison', 'a', 'b', 'c'].map((reason) => someEvent(key, reason));
    const handled: string[] = [];
    let failures = 0;
    const handlers = {
      'payment.failed': async (event: typeof poison & object) => {
        if (event.data.reason === 'poison' && failures++ === 0) throw new Error('not yet');
        handled.push(event.data.reason);
      },
    };
    await earlier.subscribe('patient', handlers);
    await earlier.publish([poison!, ...healthy]);
    await waitFor(() => handled.length === 3);
    await waitFor(async () => (await earlier.waiting('patient')) === 1);
    await earlier.close();
    expect(handled).toEqual(['a', 'b', 'c']);

    const later = await open(patient);
    await later.subscribe('patient', handlers);
    await waitFor(() => handled.length === 4);
    expect(handled[3]).toBe('poison');
    await waitFor(async () => (await later.waiting('patient')) === 0);
  });

  test('loses nothing while replicas join and leave, and all of them work', async () => {
    const publisher = await open();
    const received = new Map<string, Set<string>>([
      ['first', new Set()],
      ['second', new Set()],
      ['third', new Set()],
    ]);
    const join = async (name: string) => {
      const bus = await open();
      await bus.subscribe('crowd', {
        'payment.failed': async (event) => {
          await new Promise((resolve) => setImmediate(resolve));
          received.get(name)!.add(event.id);
        },
      });
      return bus;
    };
    const first = await join('first');
    const sent: string[] = [];
    let enough = false;
    const publishing = (async () => {
      while (!enough) {
        const events = Array.from({ length: 5 }, () => someEvent());
        await publisher.publish(events);
        sent.push(...events.map(({ id }) => id));
      }
    })();
    const works = (name: string) => {
      const before = received.get(name)!.size;
      return waitFor(() => received.get(name)!.size > before + 20);
    };
    await works('first');
    await Promise.all([join('second'), join('third')]);
    await Promise.all(['first', 'second', 'third'].map(works));
    await first.close();
    await Promise.all(['second', 'third'].map(works));
    enough = true;
    await publishing;
    const all = () => new Set([...received.values()].flatMap((ids) => [...ids]));
    await waitFor(() => sent.every((id) => all().has(id)));
    await waitFor(async () => (await publisher.waiting('crowd')) === 0);
  }, 60_000);

  test('lets a handler exceed the session timeout without repeating its work', async () => {
    const bus = await open(quick, SESSION_MS);
    const other = await open(quick, SESSION_MS);
    const slow = gate();
    const received: string[] = [];
    let takenAt = 0;
    const handlers = {
      'payment.failed': async (event: ReturnType<typeof someEvent>) => {
        received.push(event.id);
        if (event.data.reason !== 'slow') return;
        takenAt = Date.now();
        await slow.opened;
      },
    };
    await bus.subscribe('slow', handlers);
    await other.subscribe('slow', handlers);
    const key = anOrderId();
    const [captive, next] = [someEvent(key, 'slow'), someEvent(key)];
    await bus.publish([captive, next]);
    await waitFor(() => takenAt > 0);
    await waitFor(() => Date.now() - takenAt > 2 * SESSION_MS);
    const elsewhere = someEvent();
    await bus.publish([elsewhere]);
    await waitFor(() => received.includes(elsewhere.id));
    expect(received).not.toContain(next.id);
    slow.open();
    await waitFor(() => received.includes(next.id));
    expect(received.filter((id) => id === captive.id)).toHaveLength(1);
  });

  test("delivers a killed process's events to another", async () => {
    const captor = spawn(process.execPath, [join(import.meta.dirname, '..', 'testing', 'victim.ts')], {
      env: { ...process.env, KAFKA_BROKERS: kafka.brokers[0], GROUP: 'captor' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    captor.stdout.on('data', (chunk) => (said += String(chunk)));
    await waitFor(() => said.includes('ready'), 20_000);
    const survivor = await open(quick, SESSION_MS);
    const captives = Array.from({ length: 3 }, () => someEvent(anOrderId(), 'captive'));
    await survivor.publish(captives);
    await waitFor(() => said.split('holding').length - 1 === captives.length);

    captor.kill('SIGKILL');
    await once(captor, 'exit');
    const received: string[] = [];
    await survivor.subscribe('captor', { 'payment.failed': async (event) => void received.push(event.id) });
    await waitFor(() => received.length >= captives.length, 20_000);
    expect(received.sort()).toEqual(captives.map(({ id }) => id).sort());
  }, 60_000);

  test('times out on closing, and releases what does not end', async () => {
    const leaving = await openKafkaBus({
      brokers: kafka.brokers,
      ssl: false,
      partitions: 3,
      logger,
      retries: quick,
      stopWithinMs: 300,
    });
    let taken = 0;
    await leaving.subscribe('endless', {
      'payment.failed': () => {
        taken++;
        return new Promise<void>(() => undefined);
      },
    });
    const event = someEvent();
    await leaving.publish([event]);
    await waitFor(() => taken === 1);
    await leaving.close();
    const received: string[] = [];
    const successor = await open();
    await successor.subscribe('endless', { 'payment.failed': async ({ id }) => void received.push(id) });
    await waitFor(() => received.length === 1);
    expect(received).toEqual([event.id]);
  });
});
