import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLog } from './logs.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'arboleda-log-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

test('the log is readable by its owner only, is appended to, and rotates when it is full', async () => {
  const file = join(dir, 'logs', 'arboleda.log');
  for (const line of ['first', 'second']) {
    const log = await openLog(file, 'info');
    log.logger.info(line);
    await log.close();
  }
  expect(readFileSync(file, 'utf8')).toMatch(/first[^]*second/);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(dir, 'logs')).mode & 0o777).toBe(0o700);
  const small = await openLog(file, 'info', '10K');
  for (let line = 0; line < 1_000; line++) small.logger.info('x'.repeat(100));
  await small.close();
  const files = readdirSync(join(dir, 'logs'));
  expect(files.filter((name) => name.startsWith('arboleda.log')).length).toBeGreaterThan(1);
  expect(files.length).toBeLessThanOrEqual(3);
  for (const name of files) expect(statSync(join(dir, 'logs', name)).mode & 0o077).toBe(0);
});
