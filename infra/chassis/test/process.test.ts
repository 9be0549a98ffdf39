import { afterEach, describe, expect, test } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, createServer, get } from 'node:http';
import { text } from 'node:stream/consumers';
import { listenReusePort } from '../http/listen-reuse-port.ts';

describe('running a service', () => {
  const RUN = new URL('../run.ts', import.meta.url).href;

  const CONFIG = new URL('../config.ts', import.meta.url).href;

  const processes: ChildProcess[] = [];

  afterEach(() => {
    for (const one of processes.splice(0)) one.kill('SIGKILL');
  });

  /** A process with `code` as its main module, in which run and ConfigError are imported. */
  function main(code: string) {
    const source = `import { run } from '${RUN}'; import { ConfigError } from '${CONFIG}'; ${code}`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', source]);
    processes.push(child);
    const stderr = text(child.stderr);
    return { child, stderr, ended: once(child, 'close').then(([code]) => code as number) };
  }

  test('a wrong variable stops the start and prints only its message', async () => {
    const { ended, stderr } = main(
      `await run(async () => { throw new ConfigError(['PORT: must be a number']); });`,
    );
    expect(await ended).toBe(1);
    expect(await stderr).toBe('PORT: must be a number\n');
  });

  test('any other error stops the start and prints its stack', async () => {
    const { ended, stderr } = main(`await run(async () => { throw new Error('no database'); });`);
    expect(await ended).toBe(1);
    expect(await stderr).toMatch(/^Error: no database\n\s+at /);
  });

  /** Code of a service with this `close`; prints when it is started. */
  const running = (close: string) =>
    `await run(async () => ({ url: '', close: async () => { ${close} } })); setInterval(() => {}, 1000); console.log('started');`;

  test.each(['SIGTERM', 'SIGINT'] as const)('%s closes the service and ends the process', async (signal) => {
    const { child, ended } = main(running(`console.log('closed')`));
    await once(child.stdout, 'data');
    const rest = text(child.stdout);
    child.kill(signal);
    expect(await ended).toBe(0);
    expect(await rest).toBe('closed\n');
  });

  test('a service that still waits for its engines ends at once', async () => {
    const { child, ended } = main(
      `setInterval(() => {}, 1000); const waits = run(() => new Promise(() => {})); console.log('waiting'); await waits;`,
    );
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  test('prints an error of close, and ends the process anyway', async () => {
    const { child, ended, stderr } = main(running(`throw new Error('stuck')`));
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    expect(await ended).toBe(1);
    expect(await stderr).toMatch(/Error: stuck/);
  });
});

describe('exiting a process', () => {
  const LEAVE = new URL('../leave.ts', import.meta.url).href;

  test('waits until its output was read, however slowly, and returns its exit code', async () => {
    const bytes = 5_000_000;
    const source = `
      import { exitAfterFlush } from '${LEAVE}';
      process.stdout.write('x'.repeat(${bytes}));
      process.stderr.write('written');
      await exitAfterFlush(3);`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', source]);
    const ended = once(child, 'close');
    await once(child.stderr, 'data');
    expect((await text(child.stdout)).length).toBe(bytes);
    expect(await ended).toEqual([3, null]);
  });

  test('does not wait when nobody reads its output', async () => {
    const source = `import { exitAfterFlush } from '${LEAVE}'; process.stdout.write('x'.repeat(1_000_000)); await exitAfterFlush(0);`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', source]);
    child.stdout.destroy();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});

describe('listening on a shared port', () => {
  /** Length of a turn of the event loop under load. */
  const TURN_MS = 20;

  const CALLERS = 100;

  let isBusy = false;

  afterEach(() => void (isBusy = false));

  /** Makes the event loop busy from now on. */
  function beBusy(): void {
    isBusy = true;
    const turn = () => {
      for (const until = performance.now() + TURN_MS; performance.now() < until;);
      if (isBusy) setImmediate(turn);
    };
    turn();
  }

  test('accepts many new connections in one turn under load', async () => {
    const server = createServer((_request, response) => response.end('taken'));
    const doors = await listenReusePort(server, { port: 0, host: '127.0.0.1' });
    const agent = new Agent();
    const call = () =>
      new Promise<number>((resolve, reject) => {
        get({ host: '127.0.0.1', port: doors.port, agent }, (response) => {
          response.resume().on('end', () => resolve(response.statusCode ?? 0));
        }).on('error', reject);
      });
    let turns = 0;
    const counting = setInterval(() => turns++, 1);
    const calling = Promise.all(Array.from({ length: CALLERS }, call));
    beBusy();
    expect(new Set(await calling)).toEqual(new Set([200]));
    clearInterval(counting);
    isBusy = false;
    // One connection per turn would take as many turns as there are callers.
    expect(turns).toBeLessThan(CALLERS / 2);
    await doors.close();
  });

  test('rejects a port that is taken, even if it could be shared', async () => {
    const first = await listenReusePort(createServer(), { port: 0, host: '127.0.0.1' });
    await expect(
      listenReusePort(createServer(), { port: first.port, host: '127.0.0.1' }),
    ).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
    await first.close();
  });

  test('finishes accepted connections on closing, and accepts no others', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let inHand = 0;
    const server = createServer((_request, response) => {
      inHand++;
      void released.then(() => response.setHeader('connection', 'close').end());
    });
    const doors = await listenReusePort(server, { port: 0, host: '127.0.0.1' });
    const url = `http://127.0.0.1:${doors.port}`;
    const calls = Array.from({ length: 40 }, () => fetch(url));
    while (inHand < calls.length) await new Promise((resolve) => setImmediate(resolve));
    const closing = doors.close();
    release();
    expect((await Promise.all(calls)).every(({ ok }) => ok)).toBe(true);
    await closing;
    await expect(fetch(url)).rejects.toThrow();
  });
});
