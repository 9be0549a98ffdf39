import type { Environment } from '@arboleda/chassis/environment.ts';
import { chooseClusterDir, clusterDir, postgresUser } from '@arboleda/postgres/cluster-dir.ts';
import { type PostgresOptions, runningPostgres, startPostgres } from '@arboleda/postgres/postgres.ts';
import { existsSync } from 'node:fs';
import { chown, mkdir, readdir, readFile, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { acquireLock, dataDirPath, LOCK, MARKER } from '../embedded/data-dir.ts';
import type { Secrets } from '../embedded/secrets.ts';
import { Fault } from '../terminal/command.ts';
import {
  checkFiles,
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
  type Tree,
  writeManifest,
} from './files.ts';

/**
 * Files of a data folder besides the database: secrets and the demo's progress. The inbox and logs are not backed
 * up.
 */
const FILES = [MARKER, 'secrets.json', 'demo.json'];
const FOLDERS = ['objects', 'stripe-sandbox'];
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
  const secrets = join(dataDir, 'secrets.json');
  if (!existsSync(secrets)) throw new Fault(`There is nothing to back up at ${dataDir}.`);
  requireEmpty(folder, 'a back-up is written into a new folder');
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  const { postgresPassword: password } = JSON.parse(await readFile(secrets, 'utf8')) as Secrets;
  const cluster = clusterDir(join(dataDir, 'postgres'));
  await requireRoom(folder, (await sizeOf(cluster)) + (await sizeOf(join(dataDir, 'objects'))));

  const dir = join(dataDir, 'postgres');
  const databaseUrl = runningPostgres({ dir, password });
  const hold = databaseUrl === undefined ? holdStill(dataDir) : undefined;
  try {
    const to = (name: string) => join(folder, DATA, name);
    const trees: { at: string; tree: Tree }[] = [];
    trees.push({
      at: 'postgres',
      tree: await (databaseUrl === undefined
        ? copyStopped(cluster, to('postgres'))
        : copyRunning(databaseUrl, cluster, to('postgres'))),
    });
    for (const name of FOLDERS.filter((one) => existsSync(join(dataDir, one)))) {
      const isWanted = (path: string) => !path.split('/').includes(UNFINISHED);
      trees.push({ at: name, tree: await copyTree(join(dataDir, name), to(name), isWanted) });
    }
    const manifest = toManifest('embedded', { postgres: await majorOf(cluster) }, trees, now);
    for (const name of FILES.filter((one) => existsSync(join(dataDir, one)))) {
      manifest.files.push({ path: name, ...(await copyFile(join(dataDir, name), to(name))) });
    }
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

async function record(manifest: Manifest, databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(recording(manifest)).finally(() => client.end());
}

/** Starts the server for a moment. */
async function recordStopped(manifest: Manifest, options: PostgresOptions): Promise<void> {
  await mkdir(dirname(options.logFile), { recursive: true, mode: FOLDER_MODE });
  const postgres = await startPostgres(options);
  await record(manifest, postgres.url).finally(() => postgres.close());
}

/** Restores a back-up into an empty data folder. @throws Fault, and changes nothing then */
export async function restore(env: Environment, folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder, 'embedded');
  const dataDir = dataDirPath(env);
  requireEmpty(dataDir, 'a back-up is restored into an empty DATA_DIR; "npm run reset" deletes this one');
  await checkFiles(folder, manifest);
  await mkdir(dataDir, { recursive: true, mode: 0o755 });
  await requireRoom(
    dataDir,
    manifest.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  );
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

async function requireRoom(folder: string, neededBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free < neededBytes + SPARE_BYTES) {
    throw new Fault(`${folder} has ${mb(free)} MB left, and ${mb(neededBytes + SPARE_BYTES)} MB are needed.`);
  }
}

const mb = (bytes: number) => Math.ceil(bytes / 1e6);
const majorOf = async (cluster: string) => (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();

/** https://www.postgresql.org/docs/current/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP-DATA */
const OF_THE_RUNNING = /^(postmaster\.(pid|opts)|(.*\/)?(pgsql_tmp|pg_internal\.init).*)$/;
const EMPTIED = /^(pg_dynshmem|pg_notify|pg_replslot|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\//;

const isKept = (path: string): boolean => !OF_THE_RUNNING.test(path) && !EMPTIED.test(path);

/** Copies the files of a stopped server; after a crash, the copy recovers as the original would. */
const copyStopped = (from: string, to: string): Promise<Tree> => copyTree(from, to, isKept);

/**
 * Copies a running server's files while they change, with the log since the start of the copy. The copy recovers the
 * instant of its end, the same for all schemas.
 */
async function copyRunning(databaseUrl: string, from: string, to: string): Promise<Tree> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('set statement_timeout = 0');
    // Keeps the log from here on; ends with this session.
    await client.query(`select pg_create_physical_replication_slot('arboleda_backup', true, true)`);
    await client.query(`select pg_backup_start('arboleda', true)`);
    const files = await copyTree(from, to, (path) => isKept(path) && !path.startsWith('pg_wal/'));
    const { rows } = await client.query<{ labelfile: string }>(
      'select labelfile from pg_backup_stop(wait_for_archive => false)',
    );
    const label = join(to, 'backup_label');
    await writeFile(label, rows[0]!.labelfile, { mode: 0o600 });
    const wal = await copyTree(join(from, 'pg_wal'), join(to, 'pg_wal'));
    return {
      folders: [...files.folders, ...wal.folders.map((folder) => `pg_wal/${folder}`)],
      files: [
        ...files.files.filter(({ path }) => path !== 'backup_label'),
        ...wal.files.map((file) => ({ ...file, path: `pg_wal/${file.path}` })),
        { path: 'backup_label', ...(await sumOf(label)) },
      ],
    };
  } finally {
    await client.end();
  }
}
