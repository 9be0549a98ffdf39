import type { Environment } from '@arboleda/chassis/environment.ts';
import { chooseClusterDir, clusterDir, postgresUser } from '@arboleda/postgres/cluster-dir.ts';
import { type PostgresOptions, runningPostgres, startPostgres } from '@arboleda/postgres/postgres.ts';
import { existsSync } from 'node:fs';
import { chown, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { acquireLock, dataDirPath, LOCK, MARKER, requireRoom } from '../embedded/data-dir.ts';
import { readSecrets } from '../embedded/secrets.ts';
import { Fault } from '../terminal/command.ts';
import {
  checkFiles,
  type Copies,
  copyFile,
  copyTree,
  DATA,
  FOLDER_MODE,
  type Manifest,
  readManifest,
  recording,
  requireEmpty,
  sizeOf,
  sumOf,
  toManifest,
  writeManifest,
} from './files.ts';

/** Parts of a data folder that are copied besides the database. The inbox and logs are not backed up. */
const BESIDE_DATABASE = ['objects', 'stripe-sandbox', MARKER, 'secrets.json', 'demo.json'];
const CONNECT_WITHIN_MS = 30_000;
/** Uploads in progress. */
const UNFINISHED = '+unfinished';
/** Spare room besides the data. */
const SPARE_BYTES = 100_000_000;

/**
 * Copies an `npm start` installation, running or not. The database is copied first, at one instant. Objects are
 * stored before the rows that refer to them, so none is missing.
 * @throws Fault
 */
export async function backUp(env: Environment, folder: string, now = new Date()): Promise<Manifest> {
  const dataDir = dataDirPath(env);
  if (env.DATABASE_URL)
    throw new Fault(
      'DATABASE_URL is a server of your own: back it up by its own means (docs/operations.md).',
    );
  const secrets = readSecrets(join(dataDir, 'secrets.json'));
  if (!secrets) throw new Fault(`There is nothing to back up at ${dataDir}.`);
  const password = secrets.postgresPassword;
  requireEmpty(folder, 'a backup is written into a new folder');
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  const dir = join(dataDir, 'postgres');
  const cluster = clusterDir(dir);
  const sizeBytes = (await sizeOf(cluster)) + (await sizeOf(join(dataDir, 'objects')));
  await requireRoom(folder, sizeBytes + SPARE_BYTES);

  const databaseUrl = runningPostgres({ dir, password });
  const hold = databaseUrl === undefined ? holdStill(dataDir) : undefined;
  try {
    const to = join(folder, DATA);
    const isWhole = (path: string) => !path.split('/').includes(UNFINISHED);
    const isThere = (name: string) => existsSync(join(dataDir, name));
    // After a crash, the copy of a stopped server recovers as the original would.
    const copies =
      databaseUrl === undefined
        ? [await copyTree(cluster, to, 'postgres', isKept)]
        : await copyRunning(databaseUrl, cluster, to);
    for (const name of BESIDE_DATABASE.filter(isThere))
      copies.push(await copyTree(join(dataDir, name), to, name, isWhole));
    const major = (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
    const manifest = toManifest('embedded', { postgres: major }, copies, now);
    await writeManifest(folder, manifest);
    await (
      databaseUrl === undefined
        ? recordStopped(manifest, { dir, logFile: join(dataDir, 'logs', 'postgres.log'), password })
        : record(manifest, databaseUrl)
    ).catch((error: Error) => {
      throw new Fault(`${folder} holds everything, but its time was not recorded: ${error.message}.`);
    });
    return manifest;
  } finally {
    hold?.release();
  }
}

const toDatabase = (connectionString: string) =>
  new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_WITHIN_MS });

async function record(manifest: Manifest, databaseUrl: string): Promise<void> {
  const client = toDatabase(databaseUrl);
  await client.connect();
  await client.query(recording(manifest)).finally(() => client.end());
}

/** Starts the server for a moment. */
async function recordStopped(manifest: Manifest, options: PostgresOptions): Promise<void> {
  await mkdir(dirname(options.logFile), { recursive: true, mode: FOLDER_MODE });
  const postgres = await startPostgres(options);
  await record(manifest, postgres.url).finally(() => postgres.close());
}

/** Restores a backup into an empty data folder. @throws Fault, and changes nothing then */
export async function restore(env: Environment, folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder, 'embedded');
  const dataDir = dataDirPath(env);
  requireEmpty(dataDir, 'a backup is restored into an empty DATA_DIR; "npm run reset" deletes this one');
  await checkFiles(folder, manifest);
  await mkdir(dataDir, { recursive: true, mode: 0o755 });
  const sizeBytes = manifest.files.reduce((sum, file) => sum + file.sizeBytes, 0);
  await requireRoom(dataDir, sizeBytes + SPARE_BYTES);
  const cluster = chooseClusterDir(join(dataDir, 'postgres'));
  const placeOf = (path: string) =>
    path === 'postgres' || path.startsWith('postgres/')
      ? join(cluster, path.slice('postgres'.length))
      : join(dataDir, path);
  for (const path of manifest.folders) await mkdir(placeOf(path), { recursive: true, mode: FOLDER_MODE });
  // The marker comes last: without it the folder does not count as ours.
  const files = [...manifest.files].sort((a, b) => Number(a.path === MARKER) - Number(b.path === MARKER));
  for (const { path } of files) await copyFile(join(folder, DATA, path), placeOf(path));
  await own(cluster);
  return manifest;
}

/** When run as root, the server runs as another user. */
async function own(cluster: string): Promise<void> {
  const user = postgresUser();
  if (!user) return;
  const entries = await readdir(cluster, { recursive: true });
  for (const entry of ['', ...entries]) await chown(join(cluster, entry), user.uid, user.gid);
}

/** Prevents a start while files are copied. */
function holdStill(dataDir: string) {
  const lock = acquireLock(join(dataDir, LOCK));
  if ('heldBy' in lock) {
    throw new Fault(
      `Arboleda (process ${lock.heldBy}) is starting or stopping on ${dataDir}: try again when it is done.`,
    );
  }
  return lock;
}

/** https://www.postgresql.org/docs/current/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP-DATA */
const OF_THE_RUNNING = /^(postmaster\.(pid|opts)|(.*\/)?(pgsql_tmp|pg_internal\.init).*)$/;
const EMPTIED = /^(pg_dynshmem|pg_notify|pg_replslot|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\//;

const isKept = (path: string): boolean => !OF_THE_RUNNING.test(path) && !EMPTIED.test(path);

/**
 * Copies a running server's files while they change, with the log since the start of the copy. The copy recovers the
 * instant of its end, the same for all schemas.
 */
async function copyRunning(databaseUrl: string, cluster: string, to: string): Promise<Copies[]> {
  const client = toDatabase(databaseUrl);
  await client.connect();
  try {
    await client.query('set statement_timeout = 0');
    // Keeps the log from here on; ends with this session.
    await client.query(`select pg_create_physical_replication_slot('arboleda_backup', true, true)`);
    await client.query(`select pg_backup_start('arboleda', true)`);
    const isCopiedNow = (path: string) => isKept(path) && path !== 'pg_wal' && path !== 'backup_label';
    const files = await copyTree(cluster, to, 'postgres', isCopiedNow);
    const { rows } = await client.query<{ labelfile: string }>(
      'select labelfile from pg_backup_stop(wait_for_archive => false)',
    );
    const label = join(to, 'postgres', 'backup_label');
    await writeFile(label, rows[0]!.labelfile, { mode: 0o600 });
    const labelled = { path: 'postgres/backup_label', ...(await sumOf(label)) };
    const log = await copyTree(join(cluster, 'pg_wal'), to, 'postgres/pg_wal');
    return [files, log, { folders: [], files: [labelled] }];
  } finally {
    await client.end();
  }
}
