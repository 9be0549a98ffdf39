import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { anOrderId, someEvent } from '../testing/events.ts';
import { openTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { waitFor } from '../testing/wait.ts';

/** Takes whatever comes and never finishes: see testing/captor.ts. */
async function startCaptor(
  databaseUrl: string,
): Promise<{ holds(n: number): Promise<void>; process: ChildProcess }> {
  const captor = spawn(process.execPath, [fileURLToPath(new URL('../testing/captor.ts', import.meta.url))], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  captor.stdout.on('data', (chunk) => (said += String(chunk)));
  await waitFor(() => said.includes('ready'), 20_000);
  return {
    process: captor,
    holds: async (n) => void (await waitFor(() => said.split('holding').length - 1 >= n)),
  };
}

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform();
});
afterAll(() => platform.close());

test('what a killed process had in hand is taken over within seconds, but nothing of a living one', async () => {
  const survivor = await startCaptor(platform.databaseUrl);
  const key = anOrderId();
  const captive = someEvent(key);
  await platform.bus.publish([captive]);
  await platform.jobs('captor').enqueue([{ name: 'carve', payload: { of: key } }]);
  await survivor.holds(2);

  const events: string[] = [];
  const jobs: unknown[] = [];
  await platform.bus.subscribe('captor', { 'payment.failed': async (event) => void events.push(event.id) });
  await platform.jobs('captor').handle('carve', async (payload) => void jobs.push(payload));
  const database = new pg.Client({ connectionString: platform.databaseUrl });
  await database.connect();
  // Long enough in hand for the janitor to wonder.
  const heldForMs = async () =>
    Number(
      (
        await database.query(
          `select extract(epoch from now() - min(locked_at)) * 1000 as ms from graphile_worker.jobs`,
        )
      ).rows[0].ms,
    );
  await waitFor(async () => (await heldForMs()) > 6_000, 15_000);
  await database.end();
  expect([events, jobs]).toEqual([[], []]);

  const killedAt = Date.now();
  survivor.process.kill('SIGKILL');
  await once(survivor.process, 'exit');
  await waitFor(() => events.length === 1 && jobs.length === 1, 15_000);
  expect(Date.now() - killedAt).toBeLessThan(8_000);
  expect(events).toEqual([captive.id]);
  expect(jobs).toEqual([{ of: key }]);
  const next = someEvent(key);
  await platform.bus.publish([next]);
  await waitFor(() => events.includes(next.id));
}, 60_000);
