import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '../terminal/command.ts';
import { type Compose, type Installation, openCompose } from './compose.ts';
import {
  checkFiles,
  copyFile,
  DATA,
  FOLDER_MODE,
  type Manifest,
  readManifest,
  requireEmpty,
  sumOf,
  toManifest,
  writeManifest,
} from './files.ts';
import {
  differing,
  documentsIn,
  dumpDatabase,
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
const ENGINES = ['postgres', 'mongodb', 'kafka', 'minio'] as const;
const SETUPS = ['postgres-setup', 'mongodb-setup', 'kafka-setup', 'minio-setup'] as const;
/** The only user with access to all topics. */
const SPEAKS_KAFKA = 'kafka-setup';

export const databaseFile = (name: string): string => `postgres/${name}.sql`;
export const documentsFile = (name: string): string => `documents/${name}.ndjson`;
export const objectsFile = (name: string): string => `objects/${name}.objects`;
export const EVENTS_FILE = 'events.ndjson';

/** In a separate container, so that it works whether or not the service runs. */
const inService = (service: string, ...args: string[]) => [
  'run',
  '--rm',
  '--no-deps',
  '--no-TTY',
  service,
  'node',
  'infra/chassis/backup/main.ts',
  ...args,
];

export const dump = {
  documents: (service: string) => inService(service, 'documents', 'dump'),
  objects: (service: string) => inService(service, 'objects', 'dump'),
  events: inService(SPEAKS_KAFKA, 'events', 'dump'),
  marks: inService(SPEAKS_KAFKA, 'events', 'mark'),
};

const bring = {
  /** Creates a service's tables by its migrations. */
  schema: (service: string) => inService(service, 'schema', 'prepare'),
  documents: (service: string) => inService(service, 'documents', 'restore'),
  objects: (service: string) => inService(service, 'objects', 'restore'),
  events: inService(SPEAKS_KAFKA, 'events', 'restore'),
};

const ENV_FILE = '.env';

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
  requireEmpty(folder, 'a back-up is written into a new folder');
  if ((await compose.run(['ps', '--quiet', 'postgres'])).trim() === '')
    throw new Fault('There is nothing to back up: docker compose runs no containers here.');
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  const to = (path: string) => join(folder, DATA, path);
  const manifest = toManifest('containers', await versions(compose), [], now);

  const marks = await compose.run(dump.marks);
  for (const name of DOCUMENTS) await compose.toFile(dump.documents(name), to(documentsFile(name)));
  for (const name of DATABASES) await dumpDatabase(compose, name, to(databaseFile(name)));
  for (const name of BUCKETS) await compose.toFile(dump.objects(name), to(objectsFile(name)));
  await compose.toFile(dump.events, to(EVENTS_FILE), marks);
  const env = installation.envFile ?? ENV_FILE;
  if (existsSync(env)) await copyFile(env, to(ENV_FILE));

  const files = [
    ...DATABASES.map(databaseFile),
    ...DOCUMENTS.map(documentsFile),
    ...BUCKETS.map(objectsFile),
    EVENTS_FILE,
    ...(existsSync(to(ENV_FILE)) ? [ENV_FILE] : []),
  ];
  for (const path of files) manifest.files.push({ path, ...(await sumOf(to(path))) });
  manifest.folders.push('postgres', 'documents', 'objects');
  const whole = { ...manifest, counts: await countFiles(to) };
  await writeManifest(folder, whole);
  for (const name of DATABASES) await recordBackup(compose, name, whole);
  return whole;
}

async function versions(compose: Compose): Promise<Record<string, string>> {
  const said = await compose.run(['exec', '--no-TTY', 'postgres', 'postgres', '--version']);
  return { postgres: /\d+/.exec(said)?.[0] ?? 'unknown' };
}

/**
 * Counts of rows, documents, objects and messages by table, collection and bucket. @throws Fault when a file is
 * incomplete
 */
export async function countFiles(at: (path: string) => string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const whole = <T>(path: string, count: (file: string) => Promise<T>): Promise<T> =>
    count(at(path)).catch((error: Error) => {
      throw new Fault(`The back-up is not whole, back up once more: ${path}: ${error.message}.`);
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
 * Restores a back-up into an empty installation and compares every row, document and object. Afterwards engines run,
 * and services do not. @throws Fault
 */
export async function restoreContainers(installation: Installation, folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder, 'containers');
  await checkFiles(folder, manifest);
  const at = (path: string) => join(folder, DATA, path);
  await countFiles(at);
  const env = installation.envFile ?? ENV_FILE;
  if (!existsSync(env) && existsSync(at(ENV_FILE))) await copyFile(at(ENV_FILE), env);
  const compose = openCompose(installation);
  await requireStopped(compose);
  await compose.run(['up', '--detach', '--wait', ...ENGINES]);
  await compose.run(['up', ...SETUPS]);
  for (const name of DATABASES) await requireEmptyDatabase(compose, name);

  for (const name of DATABASES) {
    await compose.run(bring.schema(name));
    await restoreDatabase(compose, name, at(databaseFile(name)));
  }
  for (const name of DOCUMENTS) await compose.fromFile(bring.documents(name), at(documentsFile(name)));
  for (const name of BUCKETS) await compose.fromFile(bring.objects(name), at(objectsFile(name)));
  await compare(compose, manifest, at);
  await compose.fromFile(bring.events, at(EVENTS_FILE));
  return manifest;
}

/** A running service would write, and publish events. */
async function requireStopped(compose: Compose): Promise<void> {
  const running = (await compose.run(['ps', '--services', '--status', 'running']))
    .split('\n')
    .filter(Boolean);
  const others = running.filter((name) => !(ENGINES as readonly string[]).includes(name));
  if (others.length > 0)
    throw new Fault(
      `A back-up is restored into an empty installation, and this one runs (${others.join(', ')}): docker compose down.`,
    );
}

/** @throws Fault that names the first part that differs from the back-up */
async function compare(compose: Compose, manifest: Manifest, at: (path: string) => string): Promise<void> {
  for (const name of DATABASES) {
    const [table] = differing(await rowsOfDump(at(databaseFile(name))), await rowsOfDatabase(compose, name));
    if (table !== undefined) throw new Fault(`${table} is not as it was copied: restore anew.`);
  }
  const sumOf = (path: string) => manifest.files.find((file) => file.path === path)!.sha256;
  // Dumps are deterministic, so equal data gives equal bytes.
  for (const name of DOCUMENTS)
    if ((await compose.sum(dump.documents(name))) !== sumOf(documentsFile(name)))
      throw new Fault(`The documents of ${name} are not as they were copied: restore anew.`);
  for (const name of BUCKETS)
    if ((await compose.sum(dump.objects(name))) !== sumOf(objectsFile(name)))
      throw new Fault(`The objects of ${name} are not as they were copied: restore anew.`);
}
