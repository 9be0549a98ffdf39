import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Collection } from '../ports/documents.ts';
import type { Platform } from '../ports/platform.ts';
import { anOrderId, someNews } from '../testing/events.ts';
import { gate } from '../testing/gate.ts';
import { openTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { waitFor } from '../testing/wait.ts';

// One process with all services, as `npm start` is.

let platform: TestPlatform;
let database: pg.Client;
beforeAll(async () => {
  platform = await openTestPlatform({ onPostgres: true });
  database = new pg.Client({ connectionString: platform.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await platform.close();
});

const startAlone = () =>
  openTestPlatform({ databaseUrl: platform.databaseUrl, onPostgres: true, isAlone: true, stopWithinMs: 100 });
const openForest = async (on: Platform): Promise<Collection<{ _id: string }>> =>
  (await on.documents('forest')).collection({ name: 'trees', indexes: [] });
const decide = (forest: Collection<{ _id: string }>, id: string) =>
  forest.change(id, () => ({ document: { _id: id }, events: [someNews(id)] }));
const count = async (of: string) =>
  Number((await database.query(`select count(*) as n from ${of}`)).rows[0].n);
const queued = () => count(`graphile_worker.jobs where task_identifier like 'event:%'`);
const kept = () => count('forest._outbox');

/** What was the last to be put into the queue. */
const lastJob = async () =>
  (
    await database.query<{ id: string }>(
      `select pg_sequence_last_value(pg_get_serial_sequence('graphile_worker._private_jobs', 'id')::regclass) as id`,
    )
  ).rows[0]!.id;

/** A process that has just begun gives events to its groups when it has seen that none of theirs waits. */
const untilAtHand = (forest: Collection<{ _id: string }>, heard: readonly string[]) =>
  waitFor(async () => {
    const before = await lastJob();
    const id = anOrderId();
    await decide(forest, id);
    await waitFor(() => heard.includes(id));
    return (await lastJob()) === before;
  });

test('an event goes from the outbox to its group; it stays there while it is handled, and is handled once', async () => {
  const own = await startAlone();
  const forest = await openForest(own);
  const heard: string[] = [];
  const held = gate();
  let holds: string | undefined;
  await own.bus.subscribe('planters', {
    'payment.failed': async ({ key }) => {
      heard.push(key);
      if (key === holds) await held.opened;
    },
  });
  await untilAtHand(forest, heard);
  await waitFor(async () => (await queued()) === 0 && (await kept()) === 0);
  const before = await lastJob();
  const slow = (holds = anOrderId());
  await decide(forest, slow);
  await waitFor(() => heard.includes(slow));
  // Far longer than the sweeper waits for a relay.
  await new Promise((resolve) => setTimeout(resolve, 4_000));
  expect([await kept(), await queued(), await lastJob()]).toEqual([1, 0, before]);
  held.open();
  await waitFor(async () => (await kept()) === 0);
  expect(heard.filter((key) => key === slow)).toHaveLength(1);
  await own.close();
}, 30_000);

test('what was in hand when its process ended is handled by the next one', async () => {
  const first = await startAlone();
  const forest = await openForest(first);
  const begun: string[] = [];
  await first.bus.subscribe('planters', {
    'payment.failed': async ({ key }) => {
      begun.push(key);
      if (key === lost) await new Promise(() => undefined);
    },
  });
  const lost = anOrderId();
  await untilAtHand(forest, begun);
  await decide(forest, lost);
  await waitFor(() => begun.includes(lost));
  await first.close();
  expect(await kept()).toBeGreaterThan(0);

  const second = await startAlone();
  const heard: string[] = [];
  await second.bus.subscribe('planters', { 'payment.failed': async ({ key }) => void heard.push(key) });
  await openForest(second);
  await waitFor(() => heard.includes(lost), 10_000);
  await waitFor(async () => (await kept()) === 0);
  await second.close();
}, 30_000);

test('a short job goes from the outbox to its handler without the queue; what was in hand when its process ended is done by the next one', async () => {
  const first = await startAlone();
  const done: unknown[] = [];
  let holds: string | undefined;
  await first.jobs('forest').handle(
    'water',
    async ({ id }) => {
      done.push(id);
      if (id === holds) await new Promise(() => undefined);
    },
    { isShort: true },
  );
  const forest = await openForest(first);
  const decideJob = (id: string) =>
    forest.change(id, () => ({ document: { _id: id }, jobs: [{ name: 'water', payload: { id } }] }));
  await waitFor(async () => {
    const before = await lastJob();
    const id = anOrderId();
    await decideJob(id);
    await waitFor(() => done.includes(id));
    return (await lastJob()) === before;
  });
  await waitFor(async () => (await kept()) === 0);
  const lost = (holds = anOrderId());
  await decideJob(lost);
  await waitFor(() => done.includes(lost));
  await first.close();
  expect(await kept()).toBe(1);

  const second = await startAlone();
  const found: unknown[] = [];
  await second.jobs('forest').handle('water', async ({ id }) => void found.push(id), { isShort: true });
  await openForest(second);
  await waitFor(() => found.includes(lost), 10_000);
  await waitFor(async () => (await kept()) === 0);
  await second.close();
}, 30_000);
