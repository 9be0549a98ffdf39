import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';

export type Encoding = 'br' | 'gzip' | 'identity';

export interface WebFile {
  contentType: string;
  /** Its name changes with its content: to be kept for ever. */
  immutable: boolean;
  etag: string;
  /** The same content as it lies on the disk, in each encoding that was made ahead of time. */
  variants: Partial<Record<Encoding, { file: string; sizeBytes: number }>>;
}

/** The built files by the path they are asked for: "/assets/app-3f2a.js". Nothing else can be reached. */
export type WebFiles = ReadonlyMap<string, WebFile>;

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

/** Lists a built web app once, so that serving it needs no look at the disk but the read itself. */
export async function listWebFiles(distDir: string): Promise<WebFiles> {
  const entries = await readdir(distDir, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(distDir, join(entry.parentPath, entry.name)));
  const known = new Set(names);
  const originals = names.filter((name) => extname(name) in CONTENT_TYPES);
  const files = await Promise.all(originals.map((name) => describe(distDir, name, known)));
  return new Map(files.map((file, index) => [`/${originals[index]!.split(sep).join('/')}`, file]));
}

async function describe(distDir: string, name: string, known: ReadonlySet<string>): Promise<WebFile> {
  const file = join(distDir, name);
  const variants: WebFile['variants'] = { identity: { file, sizeBytes: (await stat(file)).size } };
  for (const [suffix, encoding] of Object.entries(COMPRESSED)) {
    if (known.has(name + suffix)) {
      variants[encoding] = { file: file + suffix, sizeBytes: (await stat(file + suffix)).size };
    }
  }
  return {
    contentType: CONTENT_TYPES[extname(name)]!,
    immutable: name.startsWith(`assets${sep}`),
    etag: createHash('sha256')
      .update(await readFile(file))
      .digest('base64url')
      .slice(0, 22),
    variants,
  };
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
