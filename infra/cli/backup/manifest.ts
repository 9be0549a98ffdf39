import { existsSync, readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { Fault } from '../terminal/fault.ts';
import { sumOf, type Tree } from './tree.ts';

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
