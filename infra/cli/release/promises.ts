import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { acceptedChanges, calls } from './calls.ts';
import { credentials } from './credentials.ts';
import { eventSamples, eventSchemas } from './events.ts';
import { links } from './links.ts';
import { migrations } from './migrations.ts';
import { type Promised, readReleased, RELEASED_FOLDER } from './promised.ts';
import { signed } from './signed.ts';

/** All that a release promises in files. What waits on phones is written by hand: web/src/worker/outbox/released.test.ts. */
const PROMISES: readonly Promised[] = [
  migrations,
  eventSchemas,
  eventSamples,
  calls,
  acceptedChanges,
  links,
  signed,
  credentials,
];

/**
 * Says what today's code breaks of the last release, in sentences that name a file and what to do.
 * @param root the repository's folder
 */
export async function brokenPromises(root: string): Promise<string[]> {
  const broken: string[] = [];
  for (const promised of PROMISES) {
    const released = readReleased(root, promised.file);
    if (released !== undefined) broken.push(...(await promised.broken(released, root)));
    else broken.push(`${RELEASED_FOLDER}/${promised.file} is gone: restore it with git checkout.`);
  }
  return broken;
}

/**
 * Writes what the release promises.
 * @returns the paths of the files
 */
export async function freezePromises(root: string, version: string): Promise<string[]> {
  mkdirSync(join(root, RELEASED_FOLDER), { recursive: true });
  const paths: string[] = [];
  for (const { file, freeze } of PROMISES) {
    const path = `${RELEASED_FOLDER}/${file}`;
    writeFileSync(join(root, path), await freeze(root, version, readReleased(root, file)));
    paths.push(path);
  }
  return paths;
}
