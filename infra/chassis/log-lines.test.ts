import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';

/** What a process of its own writes. */
function written(program: string): string[] {
  const whole = `
    import { openLogger } from '${new URL('log.ts', import.meta.url).href}';
    const logger = openLogger('orders', 'info');
    ${program}`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', whole]);
  return [...stdout.toString().matchAll(/"msg":"([^"]*)"\}\n/g)].map(([, message]) => message!);
}

const MANY = Array.from({ length: 1_000 }, (_, number) => `line ${number}`);
const manyLines = `for (let number = 0; number < ${MANY.length}; number++) logger.info('line ' + number);`;

test.each([
  ['exits', 'process.exit(3)'],
  ['fails', 'throw new Error("unexpected")'],
  ['has nothing more to do', ''],
])('a process that %s has written what it had to say', (_, end) => {
  expect(written(`logger.info('last words'); ${end}`)).toEqual(['last words']);
});

test('many lines at a time come whole and in order', () => {
  expect(written(manyLines)).toEqual(MANY);
});

const KILL = `process.kill(process.pid, 'SIGKILL')`;

test('a line is there soon, even if the process is killed', () => {
  expect(written(`logger.info('before'); setTimeout(() => ${KILL}, 500);`)).toEqual(['before']);
});

test('a warning waits for no timer, nor does what came before it', () => {
  const program = `
    const later = setTimeout;
    globalThis.setTimeout = () => ({ unref() {} });
    logger.info('before');
    logger.warn('late');
    later(() => ${KILL}, 500);`;
  expect(written(program)).toEqual(['before', 'late']);
});
