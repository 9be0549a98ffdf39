import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, createServer, get } from 'node:http';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { openDoors } from '../http/doors.ts';
import type { Collection } from '../ports/documents.ts';
import type { Platform } from '../ports/platform.ts';
import { anOrderId, someNews } from '../testing/events.ts';
import { gate } from '../testing/gate.ts';
import { openTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { waitFor } from '../testing/wait.ts';

describe('running a service', () => {
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
});

describe('a process that is told to leave', () => {
  const LEAVE = new URL('../leave.ts', import.meta.url).href;

  test('a process ends when what it wrote was read, however slowly, and says how it went', async () => {
    const bytes = 5_000_000;
    const source = `
      import { leave } from '${LEAVE}';
      process.stdout.write('x'.repeat(${bytes}));
      process.stderr.write('written');
      await leave(3);`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', source]);
    const ended = once(child, 'close');
    await once(child.stderr, 'data');
    expect((await text(child.stdout)).length).toBe(bytes);
    expect(await ended).toEqual([3, null]);
  });

  test('a process ends when nobody listens to it', async () => {
    const source = `import { leave } from '${LEAVE}'; process.stdout.write('x'.repeat(1_000_000)); await leave(0);`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', source]);
    child.stdout.destroy();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});

describe('a process without others beside it', () => {
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
    openTestPlatform({
      databaseUrl: platform.databaseUrl,
      onPostgres: true,
      isAlone: true,
      stopWithinMs: 100,
    });

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
    // One as old that no relay has in hand: when it has been swept, the other one was left.
    const swept = anOrderId();
    await database.query(
      `insert into forest._outbox (entry, created_at)
       select replace(replace(entry::text, $1, $2), entry -> 'event' ->> 'id', $3)::jsonb, created_at
       from forest._outbox`,
      [slow, swept, randomUUID()],
    );
    await waitFor(() => heard.includes(swept));
    await waitFor(async () => (await queued()) === 0);
    expect([await kept(), Number(await lastJob())]).toEqual([1, Number(before) + 1]);
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
});

describe('the doors of a process', () => {
  /** Of a busy process. */
  const TURN_MS = 20;

  const CALLERS = 100;

  let isBusy = false;

  afterEach(() => void (isBusy = false));

  /** Turns of the event loop are long from now on. */
  function beBusy(): void {
    isBusy = true;
    const turn = () => {
      for (const until = performance.now() + TURN_MS; performance.now() < until;);
      if (isBusy) setImmediate(turn);
    };
    turn();
  }

  test('a busy process takes many new connections in one turn', async () => {
    const server = createServer((_request, response) => response.end('taken'));
    const doors = await openDoors(server, { port: 0, host: '127.0.0.1' });
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
    // One connection a turn would take as many turns as there are callers.
    expect(turns).toBeLessThan(CALLERS / 2);
    await doors.close();
  });

  test('a port that somebody has is refused, also when they would share it', async () => {
    const first = await openDoors(createServer(), { port: 0, host: '127.0.0.1' });
    await expect(openDoors(createServer(), { port: first.port, host: '127.0.0.1' })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
    await first.close();
  });

  test('what was taken is finished before it is closed, and then nobody is taken any more', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let inHand = 0;
    const server = createServer((_request, response) => {
      inHand++;
      void released.then(() => response.setHeader('connection', 'close').end());
    });
    const doors = await openDoors(server, { port: 0, host: '127.0.0.1' });
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
