import { existsSync } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Finding } from './settings.ts';

/** PostgreSQL may be unable to write its log with less. */
const LEAST_FREE_BYTES = 1_000_000_000;
const PRIVATE = ['secrets.json', 'postgres'];

/** Findings about the data folder and its disk. @param leastFreeBytes for tests */
export async function folderFindings(dataDir: string, leastFreeBytes = LEAST_FREE_BYTES): Promise<Finding[]> {
  if (!existsSync(dataDir))
    return [`There is no data folder at ${dataDir}: npm start makes one, or set DATA_DIR to where it is.`];
  if (!existsSync(join(dataDir, '.arboleda')))
    return [`${dataDir} is no data folder of Arboleda: set DATA_DIR to the one that is.`];
  const findings: Finding[] = [];
  const { bavail, bsize } = await statfs(dataDir);
  if (bavail * bsize < leastFreeBytes)
    findings.push(
      `The disk of ${dataDir} has ${Math.floor((bavail * bsize) / 1e6)} MB left: make room, at least ${leastFreeBytes / 1e6} MB.`,
    );
  if (!existsSync(join(dataDir, 'secrets.json')))
    findings.push(
      `${join(dataDir, 'secrets.json')} is gone, and nobody can open the database without it: bring it back from a back-up.`,
    );
  for (const name of PRIVATE) {
    const path = join(dataDir, name);
    if (existsSync(path) && ((await stat(path)).mode & 0o077) !== 0)
      findings.push(`Others on this machine may open ${path}: chmod go-rwx ${path}`);
  }
  return findings;
}

/** `.env` holds keys. */
export async function envFileFindings(path: string): Promise<Finding[]> {
  if (!existsSync(path)) return [];
  return ((await stat(path)).mode & 0o077) === 0
    ? []
    : [`Others on this machine may read ${path}, which holds keys: chmod 600 ${path}`];
}
