import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../../terminal/fault.ts';
import { checkFiles, DATA, type Manifest, readManifest } from '../manifest.ts';
import { copyFile } from '../tree.ts';
import { countFiles, ENV_FILE } from './backup.ts';
import { type Compose, type Installation, openCompose } from './compose.ts';
import {
  bring,
  BUCKETS,
  databaseFile,
  DATABASES,
  DOCUMENTS,
  documentsFile,
  dump,
  ENGINES,
  EVENTS_FILE,
  objectsFile,
  SETUPS,
} from './parts.ts';
import { differing } from './rows.ts';
import { requireEmptyDatabase, restoreDatabase, rowsOfDatabase, rowsOfDump } from './sql.ts';

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
