import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { jobsConformance, type JobsEngine } from '../conformance/jobs.ts';
import type { RetryPolicy } from '../retry.ts';
import { openTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { gate } from '../testing/gate.ts';
import { waitFor } from '../testing/wait.ts';

const jobRetries: RetryPolicy = { maxAttempts: 5, delaysMs: [20, 100], maxDelayMs: 200 };

/** @param isAlone no other process shares the database */
const openEngine = (isAlone: boolean) => async (): Promise<JobsEngine> => {
  const first = await openTestPlatform({ onPostgres: true, jobRetries });
  const platforms: TestPlatform[] = [];
  return {
    async connect() {
      const platform = await openTestPlatform({
        databaseUrl: first.databaseUrl,
        onPostgres: true,
        isAlone,
        jobRetries,
      });
      platforms.push(platform);
      return platform.jobs;
    },
    async close() {
      for (const platform of platforms) await platform.close();
      await first.close();
    },
  };
};

describe('on PostgreSQL', () => jobsConformance(openEngine(false)));
describe('on PostgreSQL, in the only process', () => jobsConformance(openEngine(true)));

describe('jobs on PostgreSQL', () => {
  let platform: TestPlatform;
  let database: pg.Client;
  beforeAll(async () => {
    platform = await openTestPlatform({ onPostgres: true, jobRetries });
    database = new pg.Client({ connectionString: platform.databaseUrl });
    await database.connect();
  });
  afterAll(async () => {
    await database.end();
    await platform.close();
  });

  test('that are periodic wait no longer than an interval that was shortened', async () => {
    const jobs = platform.jobs('pricing');
    let turns = 0;
    const turn = async () => void turns++;
    await jobs.every('rates', 3_600_000, turn);
    await waitFor(() => turns === 1);
    await waitFor(async () => {
      const { rows } = await database.query(
        `select from graphile_worker.jobs where task_identifier = 'job:pricing:every:rates' and locked_at is null`,
      );
      return rows.length === 1;
    });
    await jobs.every('rates', 50, turn);
    await waitFor(() => turns >= 3);
  });

  test('that are wanted again just when they start run once more', async () => {
    const LOCK = 7_070;
    await database.query(
      `create function hold_second() returns trigger language plpgsql as
         'begin perform pg_advisory_xact_lock(${LOCK}); return new; end';
       create trigger hold_second before insert on graphile_worker._private_jobs
         for each row when (new.payload #>> '{payload,n}' = '2') execute function hold_second();
       select pg_advisory_lock(${LOCK})`,
    );
    const jobs = platform.jobs('orders');
    const ofTree = (n: number) => ({ name: 'water', key: 'ceiba', payload: { n } });
    await jobs.enqueue([ofTree(1)]);
    // Held after it has seen that the first one waits, and before it takes its place.
    const second = jobs.enqueue([ofTree(2)]);
    await waitFor(async () => {
      const { rows } = await database.query(
        `select from pg_locks where locktype = 'advisory' and objid = ${LOCK} and not granted`,
      );
      return rows.length === 1;
    });
    const seen: unknown[] = [];
    const first = gate();
    await jobs.handle('water', async ({ n }) => {
      seen.push(n);
      if (n === 1) await first.opened;
    });
    await waitFor(() => seen.length === 1);
    await database.query(`select pg_advisory_unlock(${LOCK})`);
    await second;
    first.open();
    await waitFor(() => seen.length === 2);
    expect(seen).toEqual([1, 2]);
  });
});
