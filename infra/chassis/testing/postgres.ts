import { clearPostgres, type Postgres, startPostgres } from '@arboleda/postgres/postgres.ts';
import { isAlive, waitForEnd } from '@arboleda/postgres/process.ts';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A PostgreSQL of the tests' own, on a free port, that forgets everything. */
export interface TestPostgres {
  url: string;
  stop(): Promise<void>;
}

const PREFIX = 'arboleda-test-pg-';
const OWNER = 'owner.pid';
const CRASHED_WITHIN_MS = 10_000;
const SETTINGS = ['fsync=off', 'full_page_writes=off', 'max_connections=300'];

/** @param waitsForLog whether a commit is written down before it is told, as in production; files may lag behind either way */
export async function startTestPostgres({ waitsForLog = false } = {}): Promise<TestPostgres> {
  const { place, clear } = await makePlace();
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

/** One whose machine loses its power, again and again. */
export interface FragilePostgres {
  /** On what the disk has. @returns its address, another one each time. */
  start(): Promise<string>;
  /** What was not given to the disk is gone. */
  crash(): Promise<void>;
  clear(): Promise<void>;
}

/** It gives its log to the disk as late as it may, so that a crash loses most. */
export async function openFragilePostgres(): Promise<FragilePostgres> {
  const { place, clear } = await makePlace();
  let server: Postgres | undefined;
  return {
    async start() {
      server = await startPostgres({ ...place, settings: ['fsync=off', 'wal_writer_delay=10s'] });
      return server.url;
    },
    async crash() {
      // https://www.postgresql.org/docs/current/server-shutdown.html: at once, without a last look at the disk.
      process.kill(server!.pid, 'SIGQUIT');
      await waitForEnd(server!.pid, CRASHED_WITHIN_MS);
    },
    clear,
  };
}

/** A folder for one server, which the next run removes if this one cannot. */
async function makePlace() {
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

/** What a test run that was killed left: its server still runs, its folder is still there. */
export async function removeLeftovers(): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(PREFIX));
  for (const folder of names.map((name) => join(tmpdir(), name))) {
    const owner = Number(await readFile(join(folder, OWNER), 'utf8').catch(() => ''));
    if (!owner || isAlive(owner)) continue;
    await clearPostgres(join(folder, 'data'));
    await rm(folder, { recursive: true, force: true });
  }
}
