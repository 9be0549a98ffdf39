import { afterEach, expect, test } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

const RUN = new URL('../run.ts', import.meta.url).href;
const CONFIG = new URL('../config.ts', import.meta.url).href;

const processes: ChildProcess[] = [];
afterEach(() => {
  for (const one of processes.splice(0)) one.kill('SIGKILL');
});

/** A process whose main module is `code`, with run and ConfigError at hand. */
function main(code: string) {
  const source = `import { run } from '${RUN}'; import { ConfigError } from '${CONFIG}'; ${code}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source]);
  processes.push(child);
  const stderr = text(child.stderr);
  return { child, stderr, ended: once(child, 'close').then(([code]) => code as number) };
}

test('a wrong variable stops the start with its sentence alone', async () => {
  const { ended, stderr } = main(
    `await run(async () => { throw new ConfigError(['PORT: must be a number']); });`,
  );
  expect(await ended).toBe(1);
  expect(await stderr).toBe('PORT: must be a number\n');
});

test('any other fault stops the start with the place where it broke', async () => {
  const { ended, stderr } = main(`await run(async () => { throw new Error('no database'); });`);
  expect(await ended).toBe(1);
  expect(await stderr).toMatch(/^Error: no database\n\s+at /);
});

/** Runs a service that closes by `close`; says so once it listens to signals. */
const running = (close: string) =>
  `await run(async () => ({ url: '', close: async () => { ${close} } })); setInterval(() => {}, 1000); console.log('started');`;

test.each(['SIGTERM', 'SIGINT'] as const)('%s closes what runs, then ends', async (signal) => {
  const { child, ended } = main(running(`console.log('closed')`));
  await once(child.stdout, 'data');
  const rest = text(child.stdout);
  child.kill(signal);
  expect(await ended).toBe(0);
  expect(await rest).toBe('closed\n');
});

test('a service that is still waiting for its engines ends at once', async () => {
  const { child, ended } = main(
    `setInterval(() => {}, 1000); const waits = run(() => new Promise(() => {})); console.log('waiting'); await waits;`,
  );
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});

test('a close that fails is told, and ends the process all the same', async () => {
  const { child, ended, stderr } = main(running(`throw new Error('stuck')`));
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  expect(await ended).toBe(1);
  expect(await stderr).toMatch(/Error: stuck/);
});
