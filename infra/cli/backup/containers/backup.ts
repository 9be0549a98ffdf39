import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '../../terminal/fault.ts';
import { DATA, type Manifest, requireEmpty, toManifest, writeManifest } from '../manifest.ts';
import { copyFile, FOLDER_MODE, sumOf } from '../tree.ts';
import { type Installation, openCompose } from './compose.ts';
import { documentsIn, messagesIn, objectsIn } from './rows.ts';
import {
  BUCKETS,
  databaseFile,
  DATABASES,
  DOCUMENTS,
  documentsFile,
  dump,
  EVENTS_FILE,
  objectsFile,
} from './parts.ts';
import { dumpDatabase, recordBackup, rowsOfDump } from './sql.ts';

export const ENV_FILE = '.env';

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

async function versions(compose: ReturnType<typeof openCompose>): Promise<Record<string, string>> {
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
