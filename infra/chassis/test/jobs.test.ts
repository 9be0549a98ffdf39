import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { jobsConformance } from '../conformance/jobs.ts';
import type { RetryPolicy } from '../retry.ts';
import { openTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { waitFor } from '../testing/wait.ts';

const jobRetries: RetryPolicy = { maxAttempts: 5, delaysMs: [20, 100], maxDelayMs: 200 };

jobsConformance(async () => {
  const first = await openTestPlatform({ jobRetries });
  const platforms: TestPlatform[] = [];
  return {
    async connect() {
      const platform = await openTestPlatform({ databaseUrl: first.databaseUrl, jobRetries });
      platforms.push(platform);
      return platform.jobs;
    },
    async close() {
      for (const platform of platforms) await platform.close();
      await first.close();
    },
  };
});

describe('jobs on PostgreSQL', () => {
  let platform: TestPlatform;
  let database: pg.Client;
  beforeAll(async () => {
    platform = await openTestPlatform({ jobRetries });
    database = new pg.Client({ connectionString: platform.databaseUrl });
    await database.connect();
  });
  afterAll(async () => {
    await database.end();
    await platform.close();
  });

  test('that were given up lie among the dead letters and can be queued once more', async () => {
    let cured = false;
    const done: unknown[] = [];
    await platform.jobs('media').handle(
      'variants',
      async (payload) => {
        if (!cured) throw new Error('not an image');
        done.push(payload);
      },
      { maxAttempts: 1 },
    );
    await platform.jobs('media').enqueue([{ name: 'variants', payload: { photoId: 'p1' } }]);
    const letter = await waitFor(async () => {
      const { rows } = await database.query<{ id: string; owner: string; error: string }>(
        `select id, owner, error from chassis.dead_letters where kind = 'job'`,
      );
      return rows[0];
    });
    expect(letter).toMatchObject({ owner: 'media', error: expect.stringContaining('not an image') });
    cured = true;
    expect(await platform.bus.replay(letter.id)).toBe(true);
    await waitFor(() => done.length === 1);
    expect(done).toEqual([{ photoId: 'p1' }]);
  });

  test('done regularly wait no longer than their interval when that was shortened', async () => {
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
});
