import { afterEach, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openLogger } from './log.ts';
import { openTurnWriter } from './log-turns.ts';

const writes: string[] = [];
const stream = { write: (lines: string) => void writes.push(lines) };
const log = () => openLogger('orders', 'info', openTurnWriter(stream));
const messages = () =>
  writes.map((lines) => [...lines.matchAll(/"msg":"([^"]*)"\}\n/g)].map(([, message]) => message));
afterEach(() => void writes.splice(0));

test('the lines of a turn are written together before the next one begins', async () => {
  const logger = log();
  logger.info('one');
  logger.child({ orderId: 'o1' }).info('two');
  expect(messages()).toEqual([]);
  await nextTurn();
  logger.info('three');
  await nextTurn();
  expect(messages()).toEqual([['one', 'two'], ['three']]);
});

test('a warning is written at once, after what came before it', async () => {
  const logger = log();
  logger.info('before');
  logger.warn('late');
  logger.info('after');
  expect(messages()).toEqual([['before', 'late']]);
  await nextTurn();
  expect(messages()).toEqual([['before', 'late'], ['after']]);
});

test.each([
  ['exits', 'process.exit(3)'],
  ['fails', 'throw new Error("unexpected")'],
])('a process that %s has written what it had to say', (_, end) => {
  const program = `
    import { openLogger } from '${new URL('log.ts', import.meta.url).href}';
    openLogger('orders', 'info').info('last words');
    ${end};`;
  const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '--eval', program]);
  expect(status).not.toBe(0);
  expect(stdout.toString()).toContain('last words');
});
