import { organisationTimeZone } from '@arboleda/contracts/time-zone.ts';
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip as gzipCompress } from 'node:zlib';

export type Encoding = 'br' | 'gzip' | 'identity';

export interface WebFile {
  contentType: string;
  /** Its name changes with its content: to be kept for ever. */
  immutable: boolean;
  etag: string;
  /** Hashes of the styles that stand in a page, as its Content-Security-Policy names them. */
  inlineStyles: readonly string[];
  /** The same content in each encoding that was made ahead of time. */
  variants: Partial<Record<Encoding, Variant>>;
}

/** Held, or on the disk when it is too large for that. */
export type Variant = { sizeBytes: number } & ({ file: string } | { content: Buffer });

/** The built files by the path they are asked for: "/assets/app-3f2a.js". Nothing else can be reached. */
export type WebFiles = ReadonlyMap<string, WebFile>;

const brotli = promisify(brotliCompress);
const gzip = promisify(gzipCompress);

const CONTENT_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

const COMPRESSED: Record<string, Encoding> = { '.br': 'br', '.gz': 'gzip' };

/** Stand in the build's texts for what differs between sites: one build serves on every site. */
const PLACEHOLDERS = /%(?:SITE_URL|TIME_ZONE)%/g;
const FILLED_IN = new Set(['.html', '.js', '.txt', '.xml', '.webmanifest', '.json']);
/** A build has nothing larger, and some 5 MB in all with what is compressed. */
const MAX_HELD_BYTES = 1_048_576;
/** Below this the headers weigh more than what is saved. */
const MIN_COMPRESSED_BYTES = 512;

/**
 * Lists a built web app once and holds it, so that serving it needs no look at the disk. A newer build may take its
 * place there while this copy runs.
 */
export async function listWebFiles(distDir: string, siteUrl: string): Promise<WebFiles> {
  const entries = await readdir(distDir, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(distDir, join(entry.parentPath, entry.name)));
  const known = new Set(names);
  const originals = names.filter((name) => extname(name) in CONTENT_TYPES);
  const files = await Promise.all(originals.map((name) => describe(distDir, name, known, siteUrl)));
  return new Map(files.map((file, index) => [`/${originals[index]!.split(sep).join('/')}`, file]));
}

async function describe(
  distDir: string,
  name: string,
  known: ReadonlySet<string>,
  siteUrl: string,
): Promise<WebFile> {
  const file = join(distDir, name);
  const immutable = name.startsWith(`assets${sep}`);
  const written = await readFile(file);
  const mayBeFilledIn = !immutable && FILLED_IN.has(extname(name));
  const held = mayBeFilledIn || written.length <= MAX_HELD_BYTES;
  const content = mayBeFilledIn ? fillIn(written, siteUrl) : written;
  const packed = Object.entries(COMPRESSED).filter(([suffix]) => known.has(name + suffix));
  const variants = held
    ? await holdVariants(file, content, content === written ? packed : undefined)
    : await listVariants(file, written.length, packed);
  return {
    contentType: CONTENT_TYPES[extname(name)]!,
    immutable,
    etag: createHash('sha256').update(content).digest('base64url').slice(0, 22),
    inlineStyles: extname(name) === '.html' ? stylesIn(content) : [],
    variants,
  };
}

function fillIn(written: Buffer, siteUrl: string): Buffer {
  const values = { '%SITE_URL%': siteUrl.replace(/\/$/, ''), '%TIME_ZONE%': organisationTimeZone() };
  const text = written.toString();
  if (!Object.keys(values).some((name) => text.includes(name))) return written;
  return Buffer.from(text.replace(PLACEHOLDERS, (name) => values[name as keyof typeof values]));
}

const stylesIn = (page: Buffer): string[] =>
  [...page.toString().matchAll(/<style>(.*?)<\/style>/gs)].map(
    ([, text]) => `sha256-${createHash('sha256').update(text!).digest('base64')}`,
  );

type Packed = [suffix: string, encoding: Encoding][];

async function listVariants(file: string, sizeBytes: number, packed: Packed): Promise<WebFile['variants']> {
  const variants: WebFile['variants'] = { identity: { file, sizeBytes } };
  for (const [suffix, encoding] of packed) {
    variants[encoding] = { file: file + suffix, sizeBytes: (await stat(file + suffix)).size };
  }
  return variants;
}

/** @param packed what was compressed ahead of time; undefined when that is no longer the same content */
async function holdVariants(
  file: string,
  content: Buffer,
  packed: Packed | undefined,
): Promise<WebFile['variants']> {
  const hold = (held: Buffer): Variant => ({ content: held, sizeBytes: held.length });
  const variants: WebFile['variants'] = { identity: hold(content) };
  for (const [suffix, encoding] of packed ?? []) variants[encoding] = hold(await readFile(file + suffix));
  if (packed || content.length < MIN_COMPRESSED_BYTES) return variants;
  return { ...variants, br: hold(await brotli(content)), gzip: hold(await gzip(content)) };
}

/** The best variant that the caller can read: Brotli, gzip, or as it is. */
export function chooseEncoding(file: WebFile, acceptEncoding: string | undefined): Encoding {
  const accepted = new Set(
    (acceptEncoding ?? '')
      .toLowerCase()
      .split(',')
      .map((part) => part.trim().split(';'))
      .filter(([, quality]) => !/^\s*q=0(\.0*)?$/.test(quality ?? ''))
      .map(([name]) => name),
  );
  const readable = (encoding: Encoding) =>
    file.variants[encoding] && (accepted.has(encoding) || accepted.has('*'));
  return readable('br') ? 'br' : readable('gzip') ? 'gzip' : 'identity';
}
