import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { someEvent } from '../testing/events.ts';
import { openTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { waitFor } from '../testing/wait.ts';

const MAIN = join(import.meta.dirname, '..', 'dead-letters', 'main.ts');

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform({ eventRetries: { maxAttempts: 1, delaysMs: [], maxDelayMs: 0 } });
});
afterAll(() => platform.close());

const dlq = async (...args: string[]) => {
  const env = { ...process.env, DATABASE_URL: platform.databaseUrl };
  return (await promisify(execFile)(process.execPath, [MAIN, ...args], { env })).stdout.trim();
};

test('what could not be handled is listed by a process of its own, and handled when it is replayed', async () => {
  let cured = false;
  const handled: string[] = [];
  await platform.bus.subscribe('orders', {
    'payment.failed': async (event) => {
      if (!cured) throw new Error('cannot digest');
      handled.push(event.id);
    },
  });
  await platform
    .jobs('media')
    .handle('variants', async ({ photoId }) => {
      if (!cured) throw new Error('not an image');
      handled.push(String(photoId));
    }, { maxAttempts: 1 }); // prettier-ignore
  const event = someEvent();
  await platform.bus.publish([event]);
  await platform.jobs('media').enqueue([{ name: 'variants', payload: { photoId: 'p1' } }]);
  await waitFor(async () => (await platform.bus.deadLetters()).length === 1);
  await waitFor(async () => (await platform.jobs('media').deadJobs()).length === 1);

  const letters = JSON.parse(await dlq('list', '--json')) as { kind: string }[];
  expect(letters.sort((a, b) => a.kind.localeCompare(b.kind))).toMatchObject([
    { kind: 'event', owner: 'orders', what: 'payment.failed', key: event.key, error: 'Error: cannot digest' },
    { kind: 'job', owner: 'media', what: 'variants', error: 'Error: not an image' },
  ]);

  cured = true;
  expect(await dlq('replay', '--all')).toMatch(/^\S+ is on its way again\.\n\S+ is on its way again\.$/);
  await waitFor(() => handled.length === 2);
  expect(handled.sort()).toEqual([event.id, 'p1'].sort());
  expect(await dlq('list')).toBe('There are no dead letters.');
});
