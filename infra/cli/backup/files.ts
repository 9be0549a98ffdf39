import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, readdirSync } from 'node:fs';
import { chmod, lstat, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { Fault } from '../terminal/command.ts';

/** Copies hold personal data and secrets, so only the owner may read them. */
const FILE_MODE = 0o600;
export const FOLDER_MODE = 0o700;

/** Folder of the copied files. */
export const DATA = 'data';
const NAME = 'manifest.json';

const manifest = z.object({
  format: z.literal(1),
  tier: z.enum(['embedded', 'containers']),
  madeAt: z.iso.datetime(),
  /** Versions of the engines: only the same major version can read the files. */
  engines: z.record(z.string(), z.string()),
  /** Numbers of rows, documents and objects. */
  counts: z.record(z.string(), z.number()).optional(),
  /** PostgreSQL needs its empty folders too. */
  folders: z.array(z.string()),
  files: z.array(z.object({ path: z.string(), sizeBytes: z.number(), sha256: z.string() })),
});

/** Description of a backup. It is written last: a folder without it is incomplete. */
export type Manifest = z.infer<typeof manifest>;

/** Copied folders and files, by paths within DATA. */
export type Copies = Pick<Manifest, 'folders' | 'files'>;

/**
 * Copies a file, or a folder with everything in it, to `to/at`. What is deleted meanwhile is left out.
 * @param isWanted filters paths within the folder; an unwanted folder is skipped
 */
export async function copyTree(
  from: string,
  to: string,
  at: string,
  isWanted: (path: string) => boolean = () => true,
): Promise<Copies> {
  const copies: Copies = { folders: [], files: [] };
  const copy = async (path: string): Promise<void> => {
    const [source, target, name] = [join(from, path), join(to, at, path), posix.join(at, path)];
    const found = await lstat(source);
    if (found.isFile()) copies.files.push({ path: name, ...(await copyFile(source, target)) });
    if (!found.isDirectory()) return;
    copies.folders.push(name);
    await mkdir(target, { recursive: true, mode: FOLDER_MODE });
    const inside = (await readdir(source)).map((entry) => posix.join(path, entry));
    for (const one of inside.filter(isWanted)) await copy(one).catch(gone);
  };
  await copy('');
  return copies;
}

/** @returns size and hash of the copy */
export async function copyFile(from: string, to: string) {
  await writePrivately(to, createReadStream(from));
  await chmod(to, FILE_MODE);
  return sumOf(to);
}

/** Writes a file that only its owner may read. */
export async function writePrivately(file: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: FOLDER_MODE });
  await pipeline(content, createWriteStream(file, { mode: FILE_MODE, flush: true }));
}

/** Size and hash of what a stream or a file holds. */
export async function hashOf(
  chunks: AsyncIterable<Uint8Array>,
): Promise<{ sizeBytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const chunk of chunks) {
    hash.update(chunk);
    sizeBytes += chunk.length;
  }
  return { sizeBytes, sha256: hash.digest('hex') };
}

export const sumOf = (file: string) => hashOf(createReadStream(file));

/** Total bytes under a path. */
export async function sizeOf(path: string): Promise<number> {
  const found = await lstat(path).catch(gone);
  if (!found) return 0;
  if (!found.isDirectory()) return found.size;
  let total = 0;
  for (const name of await readdir(path)) total += await sizeOf(join(path, name));
  return total;
}

function gone(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw error;
}

export const toManifest = (
  tier: Manifest['tier'],
  engines: Manifest['engines'],
  copies: readonly Copies[],
  madeAt: Date,
): Manifest => ({
  format: 1,
  tier,
  madeAt: madeAt.toISOString(),
  engines,
  folders: copies.flatMap(({ folders }) => folders),
  files: copies.flatMap(({ files }) => files),
});

export async function writeManifest(folder: string, one: Manifest): Promise<void> {
  await writeFile(join(folder, NAME), `${JSON.stringify(one, null, 1)}\n`, { mode: FILE_MODE });
}

const TIERS = { embedded: 'npm start', containers: 'docker compose' } as const;

/** @throws Fault when the folder is not a complete backup of this tier */
export async function readManifest(folder: string, tier: Manifest['tier']): Promise<Manifest> {
  const file = join(folder, NAME);
  if (!existsSync(file))
    throw new Fault(`${folder} is no whole backup: it has no ${NAME}, which is written last.`);
  const { success, data } = manifest.safeParse(JSON.parse(await readFile(file, 'utf8')));
  if (!success)
    throw new Fault(`${file} was not written by this version: restore it with the one that made it.`);
  if (data.tier !== tier)
    throw new Fault(`${folder} is a backup of ${TIERS[data.tier]}, and this is ${TIERS[tier]}.`);
  return data;
}

/** @throws Fault that names the first file that has changed */
export async function checkFiles(folder: string, { files }: Manifest): Promise<void> {
  for (const { path, sizeBytes, sha256 } of files) {
    const file = join(folder, DATA, path);
    if (!existsSync(file)) throw new Fault(`The backup is not whole: ${path} is missing.`);
    const now = await sumOf(file);
    if (now.sizeBytes !== sizeBytes || now.sha256 !== sha256)
      throw new Fault(`The backup is damaged: ${path} is not as it was written.`);
  }
}

/** @throws Fault when the folder is not empty */
export function requireEmpty(folder: string, what: string): void {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Fault(`${folder} is not empty: ${what}.`);
}

/** SQL that records a backup in a database, for the metric backup_age_seconds. */
export const recording = ({ madeAt }: Pick<Manifest, 'madeAt'>): string =>
  `insert into chassis.backups (made_at) values ('${madeAt}') on conflict do nothing;`;
