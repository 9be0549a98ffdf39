import type { Environment } from '@arboleda/chassis/environment.ts';
import { VERSION } from '@arboleda/contracts/version.ts';
import { majorVersions } from '@arboleda/postgres/postgres.ts';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isNewer } from '../backup/files.ts';
import { Fault } from '../terminal/command.ts';
import { writePrivately } from './private-file.ts';

/** Names the version that a data folder belongs to. Folders from before 1.0 have none. */
const VERSION_FILE = 'version.json';

interface Stored {
  version: string;
  /** Backup that an unfinished upgrade made. Nothing has run on the data since. */
  backup?: string;
}

/** @throws Fault when the file is damaged */
function read(dataDir: string): Stored | undefined {
  const file = join(dataDir, VERSION_FILE);
  if (!existsSync(file)) return undefined;
  try {
    const stored = JSON.parse(readFileSync(file, 'utf8')) as Stored;
    if (/^\d+\.\d+\.\d+$/.test(stored.version)) return stored;
  } catch {
    // Answered below.
  }
  throw new Fault(
    `${file} is damaged: write the version that ran last into it, such as {"version":"${VERSION}"}.`,
  );
}

/** Version of Arboleda that a data folder belongs to; undefined for a new folder and one from before 1.0. */
export const readFolderVersion = (dataDir: string): string | undefined => read(dataDir)?.version;

/** Backup of an upgrade that was not finished, unless a version has run since. */
export const backupOfUpgrade = (dataDir: string): string | undefined => read(dataDir)?.backup;

/** @param backup made for an upgrade that begins now */
export async function writeFolderVersion(dataDir: string, version: string, backup?: string): Promise<void> {
  const stored: Stored = { version, ...(backup !== undefined && { backup }) };
  await writePrivately(join(dataDir, VERSION_FILE), `${JSON.stringify(stored)}\n`);
}

/** Why this version may not open a data folder, as a sentence. Reads only. */
export async function folderFault(dataDir: string, env: Environment): Promise<string | undefined> {
  const version = readFolderVersion(dataDir);
  const isUsed = ['secrets.json', 'postgres'].some((name) =>
    lstatSync(join(dataDir, name), { throwIfNoEntry: false }),
  );
  if (version === undefined)
    return isUsed
      ? `${dataDir} was written by a version before 1.0, which later versions cannot open. ` +
          'Go on with the version that wrote it, or start this one with an empty folder: DATA_DIR=… npm start'
      : undefined;
  if (isNewer(version, VERSION))
    return (
      `${dataDir} was written by version ${version}, and this is ${VERSION}. ` +
      `Start ${version} or a later one, or restore the backup from before the upgrade: npm run restore`
    );
  const majors = env.DATABASE_URL ? undefined : await majorVersions(join(dataDir, 'postgres'));
  return majors && majors.files !== majors.programs
    ? `The database in ${dataDir} is of PostgreSQL ${majors.files}, and this version has PostgreSQL ${majors.programs}. ` +
        `Make a backup with the version that wrote it (${version}), and restore it with this one: npm run backup, npm run restore`
    : undefined;
}
