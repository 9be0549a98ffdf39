import { clearPostgres, startPostgres } from '@arboleda/postgres/postgres.ts';
import { isAlive } from '@arboleda/postgres/process.ts';
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
const SETTINGS = ['fsync=off', 'full_page_writes=off', 'max_connections=300'];

/** @param waitsForLog whether a commit is written down before it is told, as in production; files may lag behind either way */
export async function startTestPostgres({ waitsForLog = false } = {}): Promise<TestPostgres> {
  await removeLeftovers();
  const folder = await mkdtemp(join(tmpdir(), PREFIX));
  await writeFile(join(folder, OWNER), String(process.pid));
  const dir = join(folder, 'data');
  const server = await startPostgres({
    dir,
    logFile: join(folder, 'postgres.log'),
    password: 'arboleda',
    settings: waitsForLog ? SETTINGS : [...SETTINGS, 'synchronous_commit=off'],
  });
  return {
    url: server.url,
    async stop() {
      await server.close();
      await clearPostgres(dir);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** What a test run that was killed left: its server still runs, its folder is still there. */
async function removeLeftovers(): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(PREFIX));
  for (const folder of names.map((name) => join(tmpdir(), name))) {
    const owner = Number(await readFile(join(folder, OWNER), 'utf8').catch(() => ''));
    if (!owner || isAlive(owner)) continue;
    await clearPostgres(join(folder, 'data'));
    await rm(folder, { recursive: true, force: true });
  }
}
