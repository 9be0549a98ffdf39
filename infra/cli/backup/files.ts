import { VERSION } from '@arboleda/contracts/version.ts';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, readdirSync } from 'node:fs';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { z } from 'zod';
import { Fault } from '../terminal/command.ts';

/** A backup holds personal data and secrets, so only its owner may read it. */
const FILE_MODE = 0o600;
export const FOLDER_MODE = 0o700;

/** Folder of the copies. */
export const DATA = 'data';
const NAME = 'manifest.json';

const manifest = z.object({
  format: z.literal(2),
  /** The release that wrote what was copied. */
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  tier: z.enum(['npm start', 'docker compose']),
  /** The moment that everything is of. */
  madeAt: z.iso.datetime(),
  /** Migrations that the tables of each service had: its own, and those of the chassis. */
  migrations: z.record(
    z.string(),
    z.object({ migrations: z.array(z.string()), chassis: z.array(z.string()) }),
  ),
  /** Last rows of the audit logs, which `npm run audit` compares with. */
  auditHeads: z.array(z.string()).default([]),
  /** Numbers of rows, jobs, documents and objects. */
  counts: z.record(z.string(), z.number()),
  files: z.array(z.object({ path: z.string(), sizeBytes: z.number(), sha256: z.string() })),
});

/** Description of a backup. It is written last: a folder without it is incomplete. */
export type Manifest = z.infer<typeof manifest>;

/** @property version of this code when absent */
type About = Pick<Manifest, 'tier' | 'migrations' | 'auditHeads' | 'counts'> & { version?: string };

/** A folder that is being written. */
export interface BackupFolder {
  /** Writes a compressed file of the backup. */
  compress(path: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  write(path: string, content: string | Uint8Array): Promise<void>;
  /** @returns the manifest, which makes the folder a backup */
  finish(about: About, madeAt: Date): Promise<Manifest>;
}

/** @throws Fault when the folder is not empty */
export async function openBackupFolder(folder: string): Promise<BackupFolder> {
  requireEmpty(folder, 'a backup is written into a new folder');
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  const files: Manifest['files'] = [];
  const write = async (path: string, fill: (file: Writable) => Promise<void>) => {
    const file = join(folder, DATA, path);
    await mkdir(dirname(file), { recursive: true, mode: FOLDER_MODE });
    await fill(createWriteStream(file, { mode: FILE_MODE, flush: true }));
    files.push({ path, ...(await sumOf(file)) });
  };
  return {
    compress: (path, content) => write(path, (file) => pipeline(content, createZstdCompress(), file)),
    write: (path, content) => write(path, (file) => pipeline([Buffer.from(content)], file)),
    async finish(about, madeAt) {
      const one: Manifest = { format: 2, version: VERSION, madeAt: madeAt.toISOString(), ...about, files };
      await writeFile(join(folder, NAME), `${JSON.stringify(one, null, 1)}\n`, {
        mode: FILE_MODE,
        flush: true,
      });
      return one;
    },
  };
}

/** Contents of a compressed file. */
export async function* decompressed(folder: string, path: string): AsyncGenerator<Uint8Array> {
  const content = createZstdDecompress();
  // The reader gets an error, and ends both streams when it stops reading.
  pipeline(createReadStream(join(folder, DATA, path)), content).catch(() => undefined);
  yield* content;
}

export const hasFile = (folder: string, path: string): boolean => existsSync(join(folder, DATA, path));

export const readPlain = (folder: string, path: string): Promise<Buffer> =>
  readFile(join(folder, DATA, path));

/** Size and hash of a file. */
async function sumOf(file: string): Promise<{ sizeBytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    sizeBytes += chunk.length;
  }
  return { sizeBytes, sha256: hash.digest('hex') };
}

/** @throws Fault when it is not a complete backup, or one that this version cannot open */
export async function readManifest(folder: string): Promise<Manifest> {
  const file = join(folder, NAME);
  if (!existsSync(file))
    throw new Fault(`${folder} is no whole backup: it has no ${NAME}, which is written last.`);
  const text = await readFile(file, 'utf8');
  const { format, version } = asObject(text);
  if (format === 1)
    throw new Fault(
      `${folder} was made before version 1.0: restore it with the code that made it. Later versions cannot open it.`,
    );
  if (typeof version === 'string' && isNewer(version, VERSION))
    throw new Fault(
      `${folder} was made by version ${version}, and this is ${VERSION}: restore it with ${version} or newer.`,
    );
  const { success, data } = manifest.safeParse(asObject(text));
  if (!success) throw new Fault(`The backup is damaged: ${file} cannot be read.`);
  return data;
}

function asObject(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** Whether a version, such as "1.10.2", comes after another. */
export function isNewer(one: string, other: string): boolean {
  const [a, b] = [one, other].map((version) => version.split('.').map(Number));
  const at = a!.findIndex((part, n) => part !== (b![n] ?? 0));
  return at >= 0 && a![at]! > (b![at] ?? 0);
}

/** @throws Fault that names the first file that is missing or has changed */
export async function checkFiles(folder: string, { files }: Pick<Manifest, 'files'>): Promise<void> {
  for (const { path, sizeBytes, sha256 } of files) {
    const file = join(folder, DATA, path);
    if (!existsSync(file)) throw new Fault(`The backup is not whole: ${path} is missing.`);
    const isSame = (await stat(file)).size === sizeBytes && (await sumOf(file)).sha256 === sha256;
    if (!isSame) throw new Fault(`The backup is damaged: ${path} is not as it was written.`);
  }
}

/** @throws Fault when the folder is not empty */
export function requireEmpty(folder: string, what: string): void {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Fault(`${folder} is not empty: ${what}.`);
}

/** SQL that records a backup in a database, for doctor and for the metric backup_age_seconds. */
export const recording = (
  { madeAt, version }: Pick<Manifest, 'madeAt' | 'version'>,
  folder: string,
): string =>
  `insert into chassis.backups (made_at, version, folder)
   values ('${madeAt}', '${version}', '${folder.replaceAll("'", "''")}') on conflict do nothing;`;
