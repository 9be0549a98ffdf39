import { createReadStream, existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Compose, type Installation, openCompose } from '../compose.ts';
import { Fault } from '../terminal/command.ts';
import {
  checkFiles,
  copyFile,
  DATA,
  FOLDER_MODE,
  hashOf,
  type Manifest,
  readManifest,
  requireEmpty,
  sumOf,
  toManifest,
  writeManifest,
  writePrivately,
} from './files.ts';
import {
  differing,
  documentsIn,
  dumpCommand,
  messagesIn,
  objectsIn,
  recordBackup,
  requireEmptyDatabase,
  restoreDatabase,
  rowsOfDatabase,
  rowsOfDump,
} from './rows.ts';

/**
 * Stores of each service, in the order of copying. Orders come before payments, because orders follow payments: what
 * an order says was paid is then in payments too. Objects follow the rows that refer to them.
 */
export const DOCUMENTS = ['media'] as const;
export const DATABASES = ['assignments', 'orders', 'notifications', 'payments', 'auth', 'pricing'] as const;
export const BUCKETS = ['media', 'payments'] as const;
const ENGINES = ['postgres', 'mongodb', 'kafka', 'minio'];

export const databaseFile = (name: string): string => `postgres/${name}.sql`;
export const documentsFile = (name: string): string => `documents/${name}.ndjson`;
export const objectsFile = (name: string): string => `objects/${name}.objects`;
export const EVENTS_FILE = 'events.ndjson';
const ENV_FILE = '.env';

/** Runs Node in a container of its own, so that it works whether or not the service runs. */
export const nodeIn = (service: string, ...args: string[]): string[] => [
  ...['run', '--rm', '--no-deps', '--no-TTY', service, 'node'],
  ...args,
];

/** @param args of infra/chassis/backup/main.ts */
export const inService = (service: string, ...args: string[]): string[] =>
  nodeIn(service, 'infra/chassis/backup/main.ts', ...args);

/** kafka-setup is the only user with access to all topics. */
const inKafka = (action: string): string[] => inService('kafka-setup', 'events', action);

/**
 * Copies a running docker compose installation. Each database is copied at one instant and each document is
 * consistent; events that were sent but not handled are copied from Kafka afterwards: see docs/operations.md.
 * @throws Fault
 */
export async function backUpContainers(
  installation: Installation,
  folder: string,
  now = new Date(),
): Promise<Manifest> {
  const compose = openCompose(installation);
  requireEmpty(folder, 'a backup is written into a new folder');
  if ((await compose.run(['ps', '--quiet', 'postgres'])).trim() === '')
    throw new Fault('There is nothing to back up: docker compose runs no containers here.');
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  const to = (path: string) => join(folder, DATA, path);
  const files: Manifest['files'] = [];
  const dump = async (path: string, args: readonly string[], input = '') => {
    await compose.stream(args, [input], (output) => writePrivately(to(path), output));
    files.push({ path, ...(await sumOf(to(path))) });
  };
  const version = await compose.run(['exec', '--no-TTY', 'postgres', 'postgres', '--version']);
  const engines = { postgres: /\d+/.exec(version)?.[0] ?? 'unknown' };

  const marks = await compose.run(inKafka('mark'));
  for (const name of DOCUMENTS) await dump(documentsFile(name), inService(name, 'documents', 'dump'));
  for (const name of DATABASES) await dump(databaseFile(name), ...(await dumpCommand(compose, name)));
  for (const name of BUCKETS) await dump(objectsFile(name), inService(name, 'objects', 'dump'));
  await dump(EVENTS_FILE, inKafka('dump'), marks);
  const env = installation.envFile ?? ENV_FILE;
  if (existsSync(env)) files.push({ path: ENV_FILE, ...(await copyFile(env, to(ENV_FILE))) });

  const copies = { files, folders: ['postgres', 'documents', 'objects'] };
  const manifest = { ...toManifest('containers', engines, [copies], now), counts: await countFiles(to) };
  await writeManifest(folder, manifest);
  for (const name of DATABASES) await recordBackup(compose, name, manifest);
  return manifest;
}

/**
 * Counts of rows, documents, objects and messages by table, collection and bucket. @throws Fault when a file is
 * incomplete
 */
export async function countFiles(at: (path: string) => string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const whole = <T>(path: string, count: (file: string) => Promise<T>): Promise<T> =>
    count(at(path)).catch((error: Error) => {
      throw new Fault(`The backup is not whole, back up once more: ${path}: ${error.message}.`);
    });
  for (const name of DATABASES)
    // Every service has its own chassis tables.
    for (const [table, { rows }] of await whole(databaseFile(name), rowsOfDump))
      counts[table.startsWith(`${name}.`) ? table : `${name}: ${table}`] = rows;
  for (const name of DOCUMENTS)
    for (const [collection, n] of Object.entries(await whole(documentsFile(name), documentsIn)))
      counts[`${name}.${collection}`] = n;
  for (const name of BUCKETS) counts[`objects of ${name}`] = await whole(objectsFile(name), objectsIn);
  counts['events on their way'] = await whole(EVENTS_FILE, messagesIn);
  return counts;
}

/**
 * Restores a backup into an empty installation and compares every row, document and object. Afterwards engines run,
 * and services do not. @throws Fault
 */
export async function restoreContainers(installation: Installation, folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder, 'containers');
  await checkFiles(folder, manifest);
  const at = (path: string) => join(folder, DATA, path);
  const env = installation.envFile ?? ENV_FILE;
  if (!existsSync(env) && existsSync(at(ENV_FILE))) await copyFile(at(ENV_FILE), env);
  const compose = openCompose(installation);
  const restore = (args: readonly string[], path: string) =>
    compose.stream(args, createReadStream(at(path)), text);
  await requireStopped(compose);
  await compose.run(['up', '--detach', '--wait', ...ENGINES]);
  await compose.run(['up', ...ENGINES.map((name) => `${name}-setup`)]);
  for (const name of DATABASES) await requireEmptyDatabase(compose, name);

  for (const name of DATABASES) {
    // Its migrations create the tables.
    await compose.run(inService(name, 'schema', 'prepare'));
    await restoreDatabase(compose, name, at(databaseFile(name)));
  }
  for (const name of DOCUMENTS) await restore(inService(name, 'documents', 'restore'), documentsFile(name));
  for (const name of BUCKETS) await restore(inService(name, 'objects', 'restore'), objectsFile(name));
  await compare(compose, at);
  await restore(inKafka('restore'), EVENTS_FILE);
  return manifest;
}

/** A running service would write, and publish events. */
async function requireStopped(compose: Compose): Promise<void> {
  const running = await compose.run(['ps', '--services', '--status', 'running']);
  const others = running.split('\n').filter((name) => name !== '' && !ENGINES.includes(name));
  if (others.length > 0)
    throw new Fault(
      `A backup is restored into an empty installation, and this one runs (${others.join(', ')}): docker compose down.`,
    );
}

/** @throws Fault that names the first part that differs from the backup */
async function compare(compose: Compose, at: (path: string) => string): Promise<void> {
  for (const name of DATABASES) {
    const [table] = differing(await rowsOfDump(at(databaseFile(name))), await rowsOfDatabase(compose, name));
    if (table !== undefined) throw new Fault(`${table} is not as it was copied: restore anew.`);
  }
  // Dumps are deterministic, so equal data gives equal bytes.
  const same = async (kind: string, name: string, path: string) => {
    const { sha256 } = await compose.stream(inService(name, kind, 'dump'), [], hashOf);
    if (sha256 !== (await sumOf(at(path))).sha256)
      throw new Fault(`The ${kind} of ${name} are not as they were copied: restore anew.`);
  };
  for (const name of DOCUMENTS) await same('documents', name, documentsFile(name));
  for (const name of BUCKETS) await same('objects', name, objectsFile(name));
}
