import { openFileObjects } from '@arboleda/chassis/adapters/files/files.ts';
import { prepareTables } from '@arboleda/chassis/adapters/postgres/prepare-tables.ts';
import { eventsOfPostgres, restoreEventsToPostgres } from '@arboleda/chassis/backup/events.ts';
import { copyFiles, restoreFiles } from '@arboleda/chassis/backup/files.ts';
import { readFrames, withEnding } from '@arboleda/chassis/backup/format.ts';
import { openSession } from '@arboleda/chassis/backup/rows.ts';
import { copyService, restoreService } from '@arboleda/chassis/backup/service.ts';
import type { ServiceStores } from '@arboleda/chassis/backup/stores.ts';
import type { Environment } from '@arboleda/chassis/environment.ts';
import { openLogger } from '@arboleda/chassis/log.ts';
import { type ServiceName, SERVICES } from '@arboleda/contracts/services.ts';
import { VERSION } from '@arboleda/contracts/version.ts';
import { clearPostgres, runningPostgres, startPostgres } from '@arboleda/postgres/postgres.ts';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type pg from 'pg';
import { acquireLock, dataDirPath, LOCK, MARKER, MARKER_TEXT, requireRoom } from '../embedded/data-dir.ts';
import { readFolderVersion, writeFolderVersion } from '../embedded/folder-version.ts';
import { newPassword, readSecrets } from '../embedded/secrets.ts';
import { Fault } from '../terminal/command.ts';
import { documentsOf } from './documents.ts';
import {
  type BackupFolder,
  checkFiles,
  decompressed,
  FOLDER_MODE,
  type Manifest,
  openBackupFolder,
  readManifest,
  readPlain,
  recording,
  requireEmpty,
} from './files.ts';
import type { Restored } from './command.ts';
import { identityIn, requireSameIdentity, secretsOf, settingsOf } from './identity.ts';
import { movingCertificatesOn, movingReceiptsOn, nextReceipt as nextReceiptOf } from './numbers.ts';
import {
  DEMO,
  IDENTITY,
  openLedger,
  readEvents,
  readPart,
  SANDBOX,
  SETTINGS,
  writeEvents,
  writePart,
} from './parts.ts';

const SECRETS = 'secrets.json';
const logger = openLogger('backup', 'error');

/**
 * Copies an `npm start` installation, running or not, also with a PostgreSQL of the operator's own. All rows, jobs and
 * events are of one snapshot; objects are stored before the rows that refer to them, and copied after.
 * @throws Fault, and leaves no backup then
 */
export async function backUp(env: Environment, folder: string, now = new Date()): Promise<Manifest> {
  const dataDir = dataDirPath(env);
  const secrets = readSecrets(join(dataDir, SECRETS));
  if (!secrets) throw new Fault(`There is nothing to back up at ${dataDir}.`);
  requireEmpty(folder, 'a backup is written into a new folder');
  await using database = await openDatabase(env, dataDir, secrets.postgresPassword);
  const client = await openSession(database.url);
  try {
    const to = await openBackupFolder(folder);
    const ledger = openLedger();
    await client.query('begin isolation level repeatable read read only');
    await client.query('select pg_current_snapshot()');
    for (const service of SERVICES) {
      const stores = storesOf(service, client, await objectsOf(dataDir, service));
      await writePart(to, service, withEnding(copyService(stores)), ledger);
    }
    await writeEvents(to, eventsOfPostgres(client), ledger);
    await client.query('commit');
    ledger.requireAgreement();
    await to.write(IDENTITY, JSON.stringify(identityIn(env, secrets), null, 1));
    await writeBeside(to, dataDir);
    const { counts, migrations } = ledger;
    // Before an upgrade, the previous version wrote the data.
    const version = readFolderVersion(dataDir) ?? VERSION;
    const about = {
      version,
      tier: 'npm start',
      migrations,
      auditHeads: ledger.auditHeads(),
      counts,
    } as const;
    const manifest = await to.finish(about, now);
    await client.query(recording(manifest, folder));
    return manifest;
  } finally {
    await client.end();
  }
}

/** The sandbox's payments, the settings, and how far the demo was made. */
async function writeBeside(to: BackupFolder, dataDir: string): Promise<void> {
  const sandbox = join(dataDir, 'stripe-sandbox');
  if (existsSync(sandbox)) await to.compress(SANDBOX, withEnding(copyFiles(sandbox)));
  if (existsSync(SETTINGS)) await to.write(SETTINGS, await readFile(SETTINGS));
  const demo = join(dataDir, DEMO);
  if (existsSync(demo)) await to.write(DEMO, await readFile(demo));
}

const storesOf = (
  service: ServiceName,
  client: pg.Client,
  objects: ServiceStores['objects'],
): ServiceStores => ({ service, client, objects, documents: documentsOf(service) });

const objectsOf = async (dataDir: string, service: ServiceName): Promise<ServiceStores['objects']> =>
  existsSync(join(dataDir, 'objects', service))
    ? openFileObjects(join(dataDir, 'objects', service))
    : undefined;

/** The running server, or one that is started for the moment while nothing else can start. */
async function openDatabase(env: Environment, dataDir: string, password: string) {
  if (env.DATABASE_URL) return { url: env.DATABASE_URL, [Symbol.asyncDispose]: async () => undefined };
  const options = {
    dir: join(dataDir, 'postgres'),
    logFile: join(dataDir, 'logs', 'postgres.log'),
    password,
  };
  const running = runningPostgres(options);
  if (running !== undefined) return { url: running, [Symbol.asyncDispose]: async () => undefined };
  const lock = acquireLock(join(dataDir, LOCK));
  if ('heldBy' in lock)
    throw new Fault(
      `Arboleda (process ${lock.heldBy}) is starting or stopping on ${dataDir}: try again when it is done.`,
    );
  try {
    await mkdir(dirname(options.logFile), { recursive: true, mode: FOLDER_MODE });
    const postgres = await startPostgres(options);
    return {
      url: postgres.url,
      [Symbol.asyncDispose]: () => postgres.close().finally(() => lock.release()),
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Postgres files and logs take more than their rows, which are compressed. */
const ROOM_FOR_SERVER_BYTES = 300_000_000;
const MOST_COMPRESSED = 8;

/**
 * Restores a backup of either tier into an empty data folder.
 * @param options.isMoved nothing happened after the backup, so that receipt numbers go on where they were
 * @throws Fault, and changes nothing then
 */
export async function restore(
  env: Environment,
  folder: string,
  { isMoved = false }: { isMoved?: boolean } = {},
): Promise<Restored> {
  const manifest = await readManifest(folder);
  const dataDir = dataDirPath(env);
  if (env.DATABASE_URL)
    throw new Fault(
      'DATABASE_URL is a server of your own: restore into the data folder of npm start without it, or into docker compose.',
    );
  requireEmpty(dataDir, 'a backup is restored into an empty DATA_DIR; "npm run reset" deletes this one');
  await checkFiles(folder, manifest);
  const identity = JSON.parse((await readPlain(folder, IDENTITY)).toString()) as Record<string, string>;
  requireSameIdentity(env, identity);
  await mkdir(dataDir, { recursive: true, mode: 0o711 });
  const sizeBytes = manifest.files.reduce((sum, file) => sum + file.sizeBytes, 0);
  await requireRoom(dataDir, sizeBytes * MOST_COMPRESSED + ROOM_FOR_SERVER_BYTES);
  let nextReceipt: string | undefined;
  try {
    nextReceipt = await restoreInto(dataDir, folder, { manifest, identity, isMoved });
  } catch (error) {
    await clearPostgres(join(dataDir, 'postgres'));
    for (const name of await readdir(dataDir))
      await rm(join(dataDir, name), { recursive: true, force: true });
    throw error instanceof Fault
      ? error
      : new Fault(`Nothing was restored: ${(error as Error).message}.`, { cause: error });
  }
  const settings = settingsOf(identity);
  if (settings !== '' && !existsSync(SETTINGS)) await writeFile(SETTINGS, settings, { mode: 0o600 });
  return { manifest, nextReceipt };
}

/** @returns the next receipt number, where the counter was moved on */
async function restoreInto(
  dataDir: string,
  folder: string,
  { manifest, identity, isMoved }: { manifest: Manifest; identity: Record<string, string>; isMoved: boolean },
): Promise<string | undefined> {
  const secrets = { ...secretsOf(identity), postgresPassword: newPassword() };
  const logFile = join(dataDir, 'logs', 'postgres.log');
  await mkdir(dirname(logFile), { recursive: true, mode: FOLDER_MODE });
  const postgres = await startPostgres({
    dir: join(dataDir, 'postgres'),
    logFile,
    password: secrets.postgresPassword,
    // A crash meanwhile leaves nothing that counts.
    settings: ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'],
  });
  const client = await openSession(postgres.url);
  let nextReceipt: string | undefined;
  try {
    const ledger = openLedger();
    for (const service of SERVICES) {
      const objects = await openFileObjects(join(dataDir, 'objects', service));
      const prepare = (upTo?: { migrations: string[]; chassis: string[] }) =>
        prepareTables({ databaseUrl: postgres.url, service, logger, upTo });
      const frames = readPart(folder, service, ledger);
      await restoreService(storesOf(service, client, objects), frames, prepare).catch((error: Error) => {
        throw new Fault(`Nothing was restored: ${service}: ${error.message}.`, { cause: error });
      });
    }
    await client.query('begin');
    await restoreEventsToPostgres(client, readEvents(folder, ledger));
    await client.query('commit');
    ledger.requireAgreement();
    if (!isMoved) {
      const [madeAt, now] = [new Date(manifest.madeAt), new Date()];
      const { rows } = await client.query(movingReceiptsOn(madeAt, now));
      nextReceipt = nextReceiptOf(rows, now);
      await client.query(movingCertificatesOn(madeAt, now));
    }
    await client.query(recording(manifest, folder));
    await client.query('analyze');
    // Rows were written without fsync.
    await client.query('checkpoint');
  } finally {
    await client.end();
    await postgres.close();
  }
  const has = (path: string) => manifest.files.some((file) => file.path === path);
  if (has(SANDBOX))
    await restoreFiles(join(dataDir, 'stripe-sandbox'), readFrames(decompressed(folder, SANDBOX)));
  // Nobody asked for a demo among the orders of docker compose.
  const demo = has(DEMO) ? await readPlain(folder, DEMO) : JSON.stringify({ isLeftOut: true });
  await writeFile(join(dataDir, DEMO), demo, { mode: 0o600 });
  await writeFile(join(dataDir, SECRETS), JSON.stringify(secrets, null, 2), { mode: 0o600 });
  await rm(join(dataDir, 'logs'), { recursive: true, force: true });
  await writeFolderVersion(dataDir, VERSION);
  // The marker comes last: without it the folder does not count as ours.
  await writeFile(join(dataDir, MARKER), MARKER_TEXT, { mode: 0o600 });
  return nextReceipt;
}
