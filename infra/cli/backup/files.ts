import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, readdirSync } from 'node:fs';
import { chmod, lstat, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { Fault } from '../terminal/command.ts';

/** A file of a back-up, by its relative path. */
export interface CopiedFile {
  path: string;
  sizeBytes: number;
  sha256: string;
}

/** Files and folders of a tree. PostgreSQL needs its empty folders too. */
export interface Tree {
  files: CopiedFile[];
  folders: string[];
}

/** Copies hold personal data and secrets, so only the owner may read them. */
const FILE_MODE = 0o600;
export const FOLDER_MODE = 0o700;

/**
 * Copies a folder. Files that are deleted meanwhile are left out.
 * @param isWanted filters relative paths; an unwanted folder is skipped
 */
export async function copyTree(
  from: string,
  to: string,
  isWanted: (path: string) => boolean = () => true,
): Promise<Tree> {
  const tree: Tree = { files: [], folders: [] };
  const enter = async (path: string): Promise<void> => {
    await makeFolder(join(to, path));
    for (const entry of await readdir(join(from, path), { withFileTypes: true })) {
      const inside = path === '' ? entry.name : `${path}/${entry.name}`;
      if (!isWanted(inside)) continue;
      if (entry.isDirectory()) {
        tree.folders.push(inside);
        await enter(inside);
      } else if (entry.isFile()) {
        const copied = await copyFile(join(from, inside), join(to, inside)).catch(gone);
        if (copied) tree.files.push({ path: inside, ...copied });
      }
    }
  };
  await enter('');
  return tree;
}

/** @returns size and hash of what was written */
export async function copyFile(from: string, to: string): Promise<Omit<CopiedFile, 'path'>> {
  await makeFolder(dirname(to));
  const { watch, told } = counted();
  await pipeline(createReadStream(from), watch, createWriteStream(to, { mode: FILE_MODE, flush: true }));
  await chmod(to, FILE_MODE);
  return told();
}

export async function sumOf(path: string): Promise<Omit<CopiedFile, 'path'>> {
  const { watch, told } = counted();
  watch.resume();
  await pipeline(createReadStream(path), watch);
  return told();
}

async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: FOLDER_MODE });
}

/** Counts and hashes the bytes that pass through. */
function counted() {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const watch = new PassThrough();
  watch.on('data', (chunk: Buffer) => {
    hash.update(chunk);
    sizeBytes += chunk.length;
  });
  return { watch, told: () => ({ sizeBytes, sha256: hash.digest('hex') }) };
}

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

const NAME = 'manifest.json';
/** Folder of the copied files. */
export const DATA = 'data';

const manifest = z.object({
  format: z.literal(1),
  tier: z.enum(['embedded', 'containers']),
  madeAt: z.iso.datetime(),
  /** Versions of the engines: only the same major version can read the files. */
  engines: z.record(z.string(), z.string()),
  /** Numbers of rows, documents and objects. */
  counts: z.record(z.string(), z.number()).optional(),
  folders: z.array(z.string()),
  files: z.array(z.object({ path: z.string(), sizeBytes: z.number(), sha256: z.string() })),
});

/** Description of a back-up. It is written last: a folder without it is incomplete. */
export type Manifest = z.infer<typeof manifest>;

export const toManifest = (
  tier: Manifest['tier'],
  engines: Manifest['engines'],
  trees: readonly { at: string; tree: Tree }[],
  madeAt: Date,
): Manifest => ({
  format: 1,
  tier,
  madeAt: madeAt.toISOString(),
  engines,
  folders: trees.flatMap(({ at, tree }) => [at, ...tree.folders.map((folder) => `${at}/${folder}`)]),
  files: trees.flatMap(({ at, tree }) => tree.files.map((file) => ({ ...file, path: `${at}/${file.path}` }))),
});

export async function writeManifest(folder: string, one: Manifest): Promise<void> {
  await writeFile(join(folder, NAME), `${JSON.stringify(one, null, 1)}\n`, { mode: 0o600 });
}

/** @throws Fault when the folder is not a complete back-up of this tier */
export async function readManifest(folder: string, tier: Manifest['tier']): Promise<Manifest> {
  const file = join(folder, NAME);
  if (!existsSync(file))
    throw new Fault(`${folder} is no whole back-up: it has no ${NAME}, which is written last.`);
  const read = manifest.safeParse(JSON.parse(await readFile(file, 'utf8')));
  if (!read.success)
    throw new Fault(`${file} was not written by this version: restore it with the one that made it.`);
  if (read.data.tier !== tier) {
    throw new Fault(`${folder} is a back-up of ${NAMES[read.data.tier]}, and this is ${NAMES[tier]}.`);
  }
  return read.data;
}

const NAMES = { embedded: 'npm start', containers: 'docker compose' } as const;

/** @throws Fault that names the first file that has changed */
export async function checkFiles(folder: string, { files }: Manifest): Promise<void> {
  for (const { path, sizeBytes, sha256 } of files) {
    const file = join(folder, DATA, path);
    if (!existsSync(file)) throw new Fault(`The back-up is not whole: ${path} is missing.`);
    const now = await sumOf(file);
    if (now.sizeBytes !== sizeBytes || now.sha256 !== sha256) {
      throw new Fault(`The back-up is damaged: ${path} is not as it was written.`);
    }
  }
}

/** @throws Fault when the folder is not empty */
export function requireEmpty(folder: string, what: string): void {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Fault(`${folder} is not empty: ${what}.`);
}

/** SQL that records a back-up in a database, for the metric backup_age_seconds. An older release has no table for it. */
export const recording = ({ madeAt }: Pick<Manifest, 'madeAt'>): string =>
  `do $$ begin
     if to_regclass('chassis.backups') is not null then
       insert into chassis.backups (made_at) values ('${madeAt}') on conflict do nothing;
     end if;
   end $$;`;
