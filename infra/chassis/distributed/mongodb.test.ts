import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { type Mongo, openMongo } from '../adapters/mongodb/client.ts';
import { openMongoDocuments } from '../adapters/mongodb/documents/documents.ts';
import { openMongoJobs } from '../adapters/mongodb/jobs/jobs.ts';
import type { StoredDocument } from '../adapters/mongodb/documents/stored.ts';
import { documentsConformance } from '../conformance/documents.ts';
import { brokenOutlet, type Outlet, recordingOutlet, busOf } from '../conformance/documents-kit.ts';
import { jobsConformance } from '../conformance/jobs.ts';
import type { Jobs } from '../ports/jobs.ts';
import type { RetryPolicy } from '../retry.ts';
import { anOrderId, someNews } from '../testing/events.ts';
import { waitFor } from '../testing/wait.ts';
import { startMongo, type TestMongo } from '../testing/containers/mongodb.ts';

const logger = pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' });

let server: TestMongo;
beforeAll(async () => {
  server = await startMongo();
}, 120_000);
afterAll(() => server.stop());

/** Processes of one service, each with its own connections. */
function openEngine() {
  const service = `forest-${randomUUID().slice(0, 8)}`;
  const opened: { close(): Promise<void> }[] = [];
  const connect = (): Mongo => {
    const mongo = openMongo(server.url, logger);
    opened.push(mongo);
    return mongo;
  };
  return {
    service,
    mongo: connect,
    async documents(outlet: Outlet) {
      const documents = await openMongoDocuments({
        ...outlet,
        mongo: connect(),
        service,
        logger,
        graceMs: 200,
      });
      opened.push(documents);
      return documents;
    },
    async close() {
      for (const one of opened.reverse()) await one.close();
    },
  };
}

documentsConformance(async () => {
  const { documents, close } = openEngine();
  return { connect: documents, close };
});

const retries: RetryPolicy = { maxAttempts: 5, delaysMs: [20, 100], maxDelayMs: 200 };

jobsConformance(async () => {
  const opened: { close(): Promise<void> }[] = [];
  return {
    async connect() {
      const mongo = openMongo(server.url, logger);
      opened.push(mongo);
      const ofServices = new Map<string, Jobs>();
      return (service) => {
        const jobs = ofServices.get(service) ?? openMongoJobs({ mongo, service, retries, logger });
        if (!ofServices.has(service)) opened.push(jobs);
        ofServices.set(service, jobs);
        return jobs;
      };
    },
    async close() {
      for (const one of opened.reverse()) await one.close();
    },
  };
});

describe('documents on MongoDB', () => {
  interface Tree {
    _id: string;
    height?: number;
  }
  const trees = { name: 'trees', indexes: [] };
  let engine: ReturnType<typeof openEngine>;
  let mongo: Mongo;
  beforeAll(() => {
    engine = openEngine();
    mongo = engine.mongo();
  });
  afterAll(() => engine.close());

  const stored = (id: string) =>
    mongo.database(engine.service).collection<StoredDocument>('trees').findOne({ _id: id });
  const reasons = (events: readonly { data: unknown }[]) =>
    events.map((event) => (event.data as { reason: string }).reason);
  const telling = (id: string, ...what: string[]) => ({
    document: { _id: id },
    events: what.map((reason) => someNews(anOrderId(), reason)),
  });
  /** What is left behind when a process dies between its write and its publishing. */
  const leave = async (id: string, ...what: string[]) => {
    const doomed = await engine.documents(brokenOutlet);
    const collection = await doomed.collection<Tree>(trees);
    for (const one of what) await collection.change(id, () => telling(id, one));
    await doomed.close();
  };

  test('leave nothing in the outbox once it was told, and write on meanwhile', async () => {
    const { events, outlet } = recordingOutlet();
    const documents = await engine.documents(outlet);
    const collection = await documents.collection<Tree>(trees);
    for (let height = 1; height <= 20; height++) {
      await collection.change('busy', () => ({
        ...telling('busy', `${height}`),
        document: { _id: 'busy', height },
      }));
    }
    await waitFor(async () => (await stored('busy'))?.outbox?.length === 0);
    expect(reasons(events)).toEqual(Array.from({ length: 20 }, (_, n) => String(n + 1)));
    expect(await stored('busy')).toMatchObject({ version: 20, doc: { height: 20 } });
    await documents.close();
  });

  test('are heard once, in order, when several processes find what a dead one left', async () => {
    await leave('left', 'first', 'second', 'third');
    const { events, outlet } = recordingOutlet();
    const finders = await Promise.all([engine.documents(outlet), engine.documents(outlet)]);
    await waitFor(async () => (await stored('left'))?.outbox?.length === 0, 15_000);
    expect(reasons(events)).toEqual(['first', 'second', 'third']);
    expect(await stored('left')).not.toHaveProperty('leasedUntil');
    for (const finder of finders) await finder.close();
  });

  test('of which one cannot be handed over do not hold up the others, and keep their order', async () => {
    await leave('stuck', 'poison', 'after it');
    await leave('well', 'good');
    const { events, outlet } = recordingOutlet();
    let cured = false;
    const picky: Outlet = {
      ...outlet,
      bus: busOf(async (some) => {
        if (!cured && reasons(some).includes('poison')) throw new Error('too bitter');
        await outlet.bus.publish(some);
      }),
    };
    const finder = await engine.documents(picky);
    await waitFor(() => events.length > 0, 15_000);
    expect(reasons(events)).toEqual(['good']);
    expect(await finder.outboxAgeMs()).toBeGreaterThan(0);
    cured = true;
    await waitFor(() => events.length === 3, 15_000);
    expect(reasons(events)).toEqual(['good', 'poison', 'after it']);
    await waitFor(async () => (await finder.outboxAgeMs()) === 0);
    await finder.close();
  });

  test('have the indexes of their definition, of the last one opened, and no others', async () => {
    const documents = await engine.documents(recordingOutlet().outlet);
    const names = async () =>
      (await mongo.database(engine.service).collection('groves').listIndexes().toArray()).map(
        ({ name }) => name,
      );
    const byHeight = { name: 'by height', fields: { height: 'asc' as const, _id: 'asc' as const } };
    const byName = { name: 'by name', fields: { name: 'asc' as const }, unique: true };
    await documents.collection({ name: 'groves', indexes: [byHeight, byName] });
    expect((await names()).sort()).toEqual([
      '_id_',
      'by height: height asc, _id asc',
      'by name: unique name asc',
      'outbox',
    ]);
    await documents.collection({
      name: 'groves',
      indexes: [{ ...byHeight, fields: { height: 'desc' } }],
    });
    expect((await names()).sort()).toEqual(['_id_', 'by height: height desc', 'outbox']);
  });

  test.each(['_jobs', 'system.users', 'a b', '$x', ''])(
    'are not kept in a collection named %p',
    async (name) => {
      const documents = await engine.documents(recordingOutlet().outlet);
      await expect(documents.collection({ name, indexes: [] })).rejects.toThrow('cannot name');
    },
  );
});
