import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { type Mongo, openMongo } from '../adapters/mongodb/client.ts';
import { openMongoDocuments } from '../adapters/mongodb/documents/documents.ts';
import { openMongoJobs } from '../adapters/mongodb/jobs/jobs.ts';
import { isAway } from '../away.ts';
import { recordingOutlet } from '../conformance/documents-kit.ts';
import type { Collection, Documents } from '../ports/documents.ts';
import type { Jobs } from '../ports/jobs.ts';
import { JOB_RETRIES } from '../retry.ts';
import { startMongo, type TestMongo } from '../testing/containers/mongodb.ts';
import { anOrderId, someNews } from '../testing/events.ts';
import { gate } from '../testing/gate.ts';
import { waitFor } from '../testing/wait.ts';

interface Tree {
  _id: string;
  height: number;
}

const logger = pino({ level: 'silent' });
const { events, outlet } = recordingOutlet();
let server: TestMongo;
let mongo: Mongo;
let documents: Documents;
let jobs: Jobs;
let trees: Collection<Tree>;
beforeAll(async () => {
  server = await startMongo();
  mongo = openMongo(server.url, logger);
  documents = await openMongoDocuments({ ...outlet, mongo, service: 'forest', logger, graceMs: 200 });
  jobs = openMongoJobs({ mongo, service: 'forest', retries: JOB_RETRIES, logger });
  trees = await documents.collection<Tree>({ name: 'trees', indexes: [] });
}, 120_000);
afterAll(async () => {
  await Promise.all([documents.close(), jobs.close()]);
  await mongo.close();
  await server.stop();
});

const grow = () =>
  trees.change('a', (current) => ({
    document: { _id: 'a', height: (current?.height ?? 0) + 1 },
    events: [someNews(anOrderId())],
  }));
/** What all that services do first fails with. */
const faults = () =>
  waitFor(async () => {
    const tries = [
      trees.get('a'),
      grow(),
      jobs.enqueue([{ name: 'other', payload: {} }]),
      documents.check(),
      jobs.deadJobs(),
    ];
    const failed = (await Promise.allSettled(tries)).filter((one) => one.status === 'rejected');
    return failed.length > 0 && failed.map((one) => one.reason as unknown);
  }, 40_000);

/** A job that is in hand when MongoDB goes away, and the means to end it. */
async function startJob(name: string) {
  const working = gate();
  const done: unknown[] = [];
  await jobs.handle(name, async ({ n }) => {
    done.push(n);
    await working.opened;
  });
  await jobs.enqueue([{ name, payload: { n: 1 } }]);
  await waitFor(() => done.length === 1);
  return { done, finish: working.open };
}

async function expectAllToGoOn(job: { name: string; done: unknown[] }): Promise<void> {
  const heard = events.length;
  await waitFor(() => grow().then(() => true), 20_000);
  await waitFor(() => events.length > heard);
  await waitFor(() => jobs.enqueue([{ name: job.name, payload: { n: 2 } }]).then(() => true));
  await waitFor(() => job.done.includes(2), 20_000);
  await waitFor(async () => (await documents.outboxAgeMs()) === 0, 20_000);
  const stored = mongo.database('forest').collection('_jobs');
  await waitFor(async () => (await stored.countDocuments({ name: job.name })) === 0, 20_000);
}

test('a MongoDB that does not answer for some seconds is away, and then all goes on', async () => {
  await grow();
  const { done, finish } = await startJob('while silent');
  await server.pause();
  const all = await faults();
  expect(all.filter((fault) => !isAway(fault))).toEqual([]);
  finish();
  await server.resume();
  await expectAllToGoOn({ name: 'while silent', done });
}, 120_000);

test('a MongoDB that was stopped is away until it is started, and then all goes on', async () => {
  await grow();
  const { done, finish } = await startJob('while away');
  await server.halt();
  const all = await faults();
  expect(all.filter((fault) => !isAway(fault))).toEqual([]);
  finish();
  await server.start();
  await expectAllToGoOn({ name: 'while away', done });
}, 120_000);
