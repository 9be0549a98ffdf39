import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '../../terminal/fault.ts';
import { DATA, type Manifest, requireEmpty, toManifest, writeManifest } from '../manifest.ts';
import { copyFile, FOLDER_MODE, sumOf } from '../tree.ts';
import { type Installation, openCompose } from './compose.ts';
import { documentsIn, messagesIn, objectsIn } from './counts.ts';
import {
  BUCKETS, databaseFile, DATABASES, DOCUMENTS, documentsFile, dump, EVENTS_FILE, objectsFile
} from './parts.ts'; // prettier-ignore
import { dumpDatabase, rowsOfDump } from './sql.ts';

export const ENV_FILE = '.env';

/**
 * Copies a running installation of docker compose. Each database is of one instant and each document is whole; what was
 * between them, sent by one and not yet handled by another, is copied from Kafka after them: see docs/operations.md.
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
  const counts: Record<string, number> = {};

  const marks = await compose.run(dump.marks);
  for (const name of DOCUMENTS) await compose.toFile(dump.documents(name), to(documentsFile(name)));
  for (const name of DATABASES) {
    await dumpDatabase(compose, name, to(databaseFile(name)));
    // Each has a queue of its own.
    for (const [table, { rows }] of await rowsOfDump(to(databaseFile(name))))
      counts[table.startsWith(`${name}.`) ? table : `${name}: ${table}`] = rows;
  }
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
  const whole = { ...manifest, counts: { ...counts, ...(await countLines(to)) } };
  await writeManifest(folder, whole);
  return whole;
}

async function versions(compose: ReturnType<typeof openCompose>): Promise<Record<string, string>> {
  const said = await compose.run(['exec', '--no-TTY', 'postgres', 'postgres', '--version']);
  return { postgres: /\d+/.exec(said)?.[0] ?? 'unknown' };
}

/** Documents by collection, objects by bucket, and messages. */
async function countLines(to: (path: string) => string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of DOCUMENTS)
    for (const [collection, n] of await documentsIn(to(documentsFile(name))))
      counts[`${name}.${collection}`] = n;
  for (const name of BUCKETS) counts[`objects of ${name}`] = await objectsIn(to(objectsFile(name)));
  counts['events on their way'] = await messagesIn(to(EVENTS_FILE));
  return counts;
}
