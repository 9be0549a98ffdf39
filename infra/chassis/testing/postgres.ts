import { clearPostgres, type Postgres, startPostgres } from '@arboleda/postgres/postgres.ts';
import { isAlive, waitForEnd } from '@arboleda/postgres/process.ts';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A PostgreSQL on a free port that loses its data. */
export interface TestPostgres {
  url: string;
  stop(): Promise<void>;
}

const PREFIX = 'arboleda-test-pg-';
const OWNER = 'owner.pid';
const CRASHED_WITHIN_MS = 10_000;
const SETTINGS = ['fsync=off', 'full_page_writes=off', 'max_connections=300'];

/** @param waitsForLog whether commits are durable before they are confirmed, as in production */
export async function startTestPostgres({ waitsForLog = false } = {}): Promise<TestPostgres> {
  const { place, clear } = await makeFolder();
  const server = await startPostgres({
    ...place,
    settings: waitsForLog ? SETTINGS : [...SETTINGS, 'synchronous_commit=off'],
  });
  return {
    url: server.url,
    async stop() {
      await server.close();
      await clear();
    },
  };
}

/** A PostgreSQL whose machine loses power repeatedly. */
export interface FragilePostgres {
  /** Starts from what is on disk. @returns its address, which changes each time */
  start(): Promise<string>;
  /** Drops everything that was not synced. */
  crash(): Promise<void>;
  clear(): Promise<void>;
}

/** Syncs its log as late as possible, so that a crash loses as much as possible. */
export async function openFragilePostgres(): Promise<FragilePostgres> {
  const { place, clear } = await makeFolder();
  let server: Postgres | undefined;
  return {
    async start() {
      server = await startPostgres({ ...place, settings: ['fsync=off', 'wal_writer_delay=10s'] });
      return server.url;
    },
    async crash() {
      // https://www.postgresql.org/docs/current/server-shutdown.html: immediate shutdown, without a checkpoint.
      process.kill(server!.pid, 'SIGQUIT');
      await waitForEnd(server!.pid, CRASHED_WITHIN_MS);
    },
    clear,
  };
}

/** A folder for one server; the next run removes leftovers. */
async function makeFolder() {
  await removeLeftovers();
  const folder = await mkdtemp(join(tmpdir(), PREFIX));
  await writeFile(join(folder, OWNER), String(process.pid));
  const dir = join(folder, 'data');
  return {
    place: { dir, logFile: join(folder, 'postgres.log'), password: 'arboleda' },
    async clear() {
      await clearPostgres(dir);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Stops servers and removes folders of killed test runs. */
export async function removeLeftovers(): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(PREFIX));
  for (const folder of names.map((name) => join(tmpdir(), name))) {
    const owner = Number(await readFile(join(folder, OWNER), 'utf8').catch(() => ''));
    if (!owner || isAlive(owner)) continue;
    await clearPostgres(join(folder, 'data'));
    await rm(folder, { recursive: true, force: true });
  }
}
