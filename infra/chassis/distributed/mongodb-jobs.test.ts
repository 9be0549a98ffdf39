import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { MOST_DEATHS_OF_A_JOB } from '../caution.ts';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Collection } from 'mongodb';
import { pino } from 'pino';
import { type Mongo, openMongo } from '../adapters/mongodb/client.ts';
import { openMongoJobs } from '../adapters/mongodb/jobs/jobs.ts';
import type { StoredJob } from '../adapters/mongodb/jobs/stored.ts';
import type { Jobs } from '../ports/jobs.ts';
import type { RetryPolicy } from '../retry.ts';
import { startMongo, type TestMongo } from '../testing/containers/mongodb.ts';
import { gate } from '../testing/gate.ts';
import { waitFor } from '../testing/wait.ts';

const LEASE_MS = 1_500;
const logger = pino({ level: 'silent' });
const retries: RetryPolicy = { maxAttempts: 3, delaysMs: [20, 50], maxDelayMs: 100 };

let server: TestMongo;
let mongo: Mongo;
let service: string;
let stored: Collection<StoredJob>;
const opened: Jobs[] = [];
beforeAll(async () => {
  server = await startMongo();
  mongo = openMongo(server.url, logger);
}, 120_000);
beforeEach(() => {
  service = `service-${randomUUID()}`;
  stored = mongo.database(service).collection('_jobs');
});
afterAll(async () => {
  await Promise.all(opened.map((jobs) => jobs.close()));
  await mongo.close();
  await server.stop();
});

/** Another replica of the service of this test. */
const aReplica = (stopWithinMs = 100) => {
  const jobs = openMongoJobs({ mongo, service, retries, logger, leaseMs: LEASE_MS, stopWithinMs });
  opened.push(jobs);
  return jobs;
};
const record = async (jobs: Jobs, name = 'carve') => {
  const done: unknown[] = [];
  await jobs.handle(name, async (payload) => void done.push(payload));
  return done;
};

test('what a killed process had in hand is taken over when its lease has ended, but not while it lives', async () => {
  const captor = spawn(process.execPath, [fileURLToPath(new URL('./mongodb-captor.ts', import.meta.url))], {
    env: { ...process.env, MONGODB_URL: server.url, SERVICE: service, LEASE_MS: String(LEASE_MS) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  captor.stdout.on('data', (chunk) => (said += String(chunk)));
  const survivor = aReplica();
  await survivor.enqueue([{ name: 'carve', payload: { n: 1 } }]);
  await waitFor(() => said.includes('holding'), 20_000);
  const { availableAt } = (await stored.findOne({ name: 'carve' }))!;
  const done = await record(survivor);
  // Its lease was renewed at least twice: others have had their chance.
  await waitFor(async () => {
    const job = await stored.findOne({ name: 'carve' });
    return job!.availableAt.getTime() > availableAt.getTime() + LEASE_MS;
  });
  expect(done).toEqual([]);

  captor.kill('SIGKILL');
  await once(captor, 'exit');
  await waitFor(() => done.length === 1);
  expect(done).toEqual([{ n: 1 }]);
  await waitFor(async () => (await stored.countDocuments()) === 0);
}, 60_000);

test('a job that kills its process each time ends among the dead', async () => {
  const jobs = aReplica();
  await jobs.enqueue([{ name: 'carve', payload: { tree: 'manchineel' } }]);
  await stored.updateOne({ name: 'carve' }, { $set: { taken: MOST_DEATHS_OF_A_JOB } });
  const done = await record(jobs);
  const [dead] = await waitFor(async () => {
    const all = await jobs.deadJobs();
    return all.length > 0 && all;
  });
  expect(dead).toMatchObject({
    name: 'carve',
    payload: { tree: 'manchineel' },
    error: expect.stringContaining('died'),
  });
  expect(done).toEqual([]);
  await waitFor(async () => (await stored.countDocuments()) === 0);
});

test('what is still in hand when a process stops is taken by another at once, and counts as no crash', async () => {
  const leaving = aReplica();
  const working = gate();
  let begun = 0;
  await leaving.handle('carve', async () => {
    begun++;
    await working.opened;
  });
  await leaving.enqueue([{ name: 'carve', payload: { n: 1 } }]);
  await waitFor(() => begun === 1);
  await leaving.close();
  expect(await stored.findOne({}, { projection: { taken: 1, by: 1 } })).toMatchObject({ taken: 0 });
  const done = await record(aReplica());
  await waitFor(() => done.length === 1);
  // It ends after all: the job is not its any more.
  working.open();
  expect(done).toEqual([{ n: 1 }]);
});

test('a process that stops waits for what is nearly done', async () => {
  const leaving = aReplica(10_000);
  const working = gate();
  let begun = 0;
  await leaving.handle('carve', async () => {
    begun++;
    await working.opened;
  });
  await leaving.enqueue([{ name: 'carve', payload: {} }]);
  await waitFor(() => begun === 1);
  const closed = leaving.close();
  working.open();
  await closed;
  expect(await stored.countDocuments()).toBe(0);
});

test('one that failed yields to a newer one of its key that waits already', async () => {
  const jobs = aReplica();
  const failing = gate();
  const seen: unknown[] = [];
  await jobs.handle('carve', async ({ n }) => {
    seen.push(n);
    if (n !== 1) return;
    await failing.opened;
    throw new Error('the chisel broke');
  });
  await jobs.enqueue([{ name: 'carve', payload: { n: 1 }, key: 'k' }]);
  await waitFor(() => seen.length === 1);
  await jobs.enqueue([{ name: 'carve', payload: { n: 2 }, key: 'k' }]);
  failing.open();
  await waitFor(async () => (await stored.countDocuments()) === 0);
  expect(seen).toEqual([1, 2]);
});

test('a job with a key that failed takes a newer payload while it waits for its next attempt', async () => {
  const jobs = openMongoJobs({
    mongo,
    service,
    retries: { maxAttempts: 3, delaysMs: [400], maxDelayMs: 400 },
    logger,
  });
  opened.push(jobs);
  const seen: unknown[] = [];
  await jobs.handle('carve', async ({ n }) => {
    seen.push(n);
    if (n === 1) throw new Error('the chisel broke');
  });
  await jobs.enqueue([{ name: 'carve', payload: { n: 1 }, key: 'k' }]);
  await waitFor(async () => (await stored.countDocuments({ attempt: 1 })) === 1);
  await jobs.enqueue([{ name: 'carve', payload: { n: 2 }, key: 'k' }]);
  await waitFor(async () => (await stored.countDocuments()) === 0);
  expect(seen).toEqual([1, 2]);
});

test('done regularly wait no longer than their interval when that was shortened', async () => {
  let turns = 0;
  const turn = async () => void turns++;
  const before = aReplica();
  await before.every('rates', 3_600_000, turn);
  await waitFor(() => turns === 1);
  await waitFor(async () => (await stored.countDocuments({ by: { $exists: false } })) === 1);
  await before.close();
  await aReplica().every('rates', 50, turn);
  await waitFor(() => turns >= 3);
});

test('many with one key, added at once by several processes, are one', async () => {
  const replicas = [aReplica(), aReplica()];
  await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      replicas[n % 2]!.enqueue([{ name: 'carve', payload: { n }, key: 'k' }]),
    ),
  );
  expect(await stored.countDocuments()).toBe(1);
  const done = await record(replicas[0]!);
  await waitFor(() => done.length === 1);
});
