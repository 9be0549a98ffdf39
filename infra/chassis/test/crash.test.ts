import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import pg from 'pg';
import { openPostgresBus } from '../conformance/event-bus-harness.ts';
import { poisonEventConformance } from '../conformance/event-bus.ts';
import type { Sql } from '../ports/sql.ts';
import { openTable } from '../records.ts';
import { anOrderId, someEvent, someNewEvent } from '../testing/events.ts';
import { openTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { openFragilePostgres, startTestPostgres, type TestPostgres } from '../testing/postgres.ts';
import { waitFor } from '../testing/wait.ts';

describe('a database that crashes', () => {
  const NOTES = 400;

  const NOTES_BETWEEN_CRASHES = 80;

  /** A separate server, because the shared one would crash with it. Its commits are durable, as in production. */
  let folder: string;

  let server: TestPostgres;

  let platform: TestPlatform;

  let sql: Sql;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'arboleda-crash-'));
    server = await startTestPostgres({ waitsForLog: true });
    platform = await openTestPlatform({ databaseUrl: server.url, onPostgres: true });
    const migrations = join(folder, 'migrations');
    await mkdir(migrations);
    await writeFile(join(migrations, '001_notes.sql'), 'create table notes (id text primary key);');
    sql = await platform.sql('crash', pathToFileURL(`${migrations}/`));
  }, 60_000);

  afterEach(async () => {
    await sql?.close();
    await platform?.close();
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Kills one backend: the server then ends all others, loses unwritten data, and recovers. */
  async function crash(): Promise<void> {
    const client = await connected();
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    process.kill(rows[0]!.pid, 'SIGKILL');
    await client.end().catch(() => undefined);
    await (await connected()).end();
  }

  /** Retries until the server accepts connections. */
  const connected = () =>
    waitFor(async () => {
      const client = new pg.Client({ connectionString: server.url });
      client.on('error', () => undefined);
      return client.connect().then(
        () => client,
        () => undefined,
      );
    });

  test('publishes and runs everything committed, although the database crashes', async () => {
    const told = new Set<string>();
    const done = new Set<string>();
    await platform.bus.subscribe('reader', {
      'payment.failed': async ({ data }) => void told.add(data.orderId),
    });
    await platform
      .jobs('crash')
      .handle('note', async ({ id }) => void done.add(id as string), { concurrency: 4 });

    const committed: string[] = [];
    for (let number = 1; number <= NOTES; number++) {
      if (number % NOTES_BETWEEN_CRASHES === 0) await crash();
      const id = anOrderId();
      const wrote = await sql
        .transaction(async (tx) => {
          await tx.query('insert into notes values ($1)', [id]);
          await tx.publish([someNewEvent(id)]);
          await tx.enqueue([{ name: 'note', payload: { id } }]);
        })
        .then(
          () => true,
          () => false,
        );
      if (wrote) committed.push(id);
    }
    // Calls that failed while the server was down were rejected to their callers.
    expect(committed.length).toBeGreaterThan(NOTES_BETWEEN_CRASHES);
    const missing = () => committed.filter((id) => !told.has(id) || !done.has(id));
    await waitFor(() => missing().length === 0, 30_000);
  }, 90_000);
});

describe('a machine that loses power', () => {
  // graphile-worker logs to the console when its database is gone.
  beforeAll(() => {
    jest.spyOn(console, 'error').mockImplementation(() => undefined);
  });

  afterAll(() => {
    jest.restoreAllMocks();
  });

  const migrations = {
    shop: 'create table orders (id text primary key, version integer not null, name text);',
    forest: 'create table trees (id text primary key, version integer not null, height integer not null);',
    garden: 'create table counts (id text primary key);',
  };
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'arboleda-power-'));
    for (const [service, text] of Object.entries(migrations)) {
      await mkdir(join(folder, service));
      await writeFile(join(folder, service, '001_tables.sql'), text);
    }
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** A process with a shop that publishes orders, a forest that subscribes, and a gardener whose jobs count trees. */
  async function openGarden(databaseUrl: string) {
    const platform = await openTestPlatform({
      databaseUrl,
      onPostgres: true,
      stopWithinMs: 100,
      isAlone: true,
    });
    const open = (service: keyof typeof migrations) =>
      platform.sql(service, pathToFileURL(`${join(folder, service)}/`));
    const shop = openTable<{ id: string }, { name: string | null }>(await open('shop'), {
      table: 'orders',
      columns: ['name'],
      idOf: ({ id }) => id,
      toRow: () => ({ name: null }),
      fromRow: ({ id }) => ({ id }),
    });
    const trees = openTable<{ id: string; height: number }, { height: number }>(await open('forest'), {
      table: 'trees',
      columns: ['height'],
      idOf: ({ id }) => id,
      toRow: ({ height }) => ({ height }),
      fromRow: ({ id, height }) => ({ id, height }),
    });
    const garden = await open('garden');
    const isCounted = async (id: string) =>
      (await garden.query('select from counts where id = $1', [id])).rowCount === 1;
    await platform.bus.subscribe('forest', {
      'payment.failed': async ({ id: eventId, key }) => {
        const grown = (tree?: { height: number }) => ({
          record: { id: key, height: (tree?.height ?? 0) + 1 },
          jobs: [{ name: 'count', payload: { key } }],
        });
        await trees.change(key, grown, { eventId, isNew: true });
      },
    });
    await platform.jobs('forest').handle('count', async ({ key }) => {
      await garden.query('insert into counts values ($1) on conflict do nothing', [key]);
    });
    return {
      buy: async () => {
        const id = anOrderId();
        await shop.change(id, () => ({ record: { id }, events: [someNewEvent(id)] }));
        return id;
      },
      stateOf: async (id: string) => ({
        isBought: (await shop.get(id)) !== undefined,
        height: (await trees.get(id))?.height,
        isCounted: await isCounted(id),
      }),
      isSettled: async () => (await platform.bus.waiting('forest')) === 0,
      close: () => platform.close(),
    };
  }

  type Garden = Awaited<ReturnType<typeof openGarden>>;

  const DONE = { isBought: true, height: 1, isCounted: true };

  const CRASHES = 3;

  test.each([
    ['at once', async () => undefined],
    [
      'when some of it has been seen',
      (garden: Garden, id: string) => waitFor(async () => (await garden.stateOf(id)).height === 1),
    ],
    [
      'when nothing is in hand any more',
      (garden: Garden, id: string) =>
        waitFor(async () => (await garden.stateOf(id)).isCounted && (await garden.isSettled())),
    ],
  ])(
    'everything accepted is done once, although the database crashes %s',
    async (_, until) => {
      const postgres = await openFragilePostgres();
      const bought: string[] = [];
      try {
        for (let crashes = 0; crashes <= CRASHES; crashes++) {
          const garden = await openGarden(await postgres.start());
          try {
            for (const id of bought) await waitFor(async () => (await garden.stateOf(id)).isCounted);
            for (const id of bought) expect(await garden.stateOf(id)).toEqual(DONE);
            if (crashes === CRASHES) break;
            const id = await garden.buy();
            bought.push(id);
            await until(garden, id);
          } finally {
            await postgres.crash();
            await garden.close().catch(() => undefined);
          }
        }
      } finally {
        await postgres.clear();
      }
    },
    120_000,
  );
});

describe('a process that is killed', () => {
  poisonEventConformance(openPostgresBus);

  /** A process that takes all work and never finishes: see testing/captor.ts. */
  async function startCaptor(
    databaseUrl: string,
  ): Promise<{ holds(n: number): Promise<void>; process: ChildProcess }> {
    const captor = spawn(
      process.execPath,
      [fileURLToPath(new URL('../testing/captor.ts', import.meta.url))],
      {
        env: { ...process.env, DATABASE_URL: databaseUrl },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
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

  test("a killed process's work is taken over within seconds, but not that of a live one", async () => {
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
    // Long enough for the janitor to check it.
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

    survivor.process.kill('SIGKILL');
    await once(survivor.process, 'exit');
    await waitFor(() => events.length === 1 && jobs.length === 1, 15_000);
    expect(events).toEqual([captive.id]);
    expect(jobs).toEqual([{ of: key }]);
    const next = someEvent(key);
    await platform.bus.publish([next]);
    await waitFor(() => events.includes(next.id));
  }, 60_000);
});
