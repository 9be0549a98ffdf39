import { type Claim, cutClaims } from '@arboleda/contracts/claims.ts';
import { escapeHtml } from '@arboleda/contracts/escape-html.ts';
import { sellerLine } from '@arboleda/contracts/organisation.ts';
import { dayOf, organisationTimeZone } from '@arboleda/contracts/time-zone.ts';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip as gzipCompress } from 'node:zlib';
import type { GatewayConfig } from '../config.ts';

export type Encoding = 'br' | 'gzip' | 'identity';

export interface WebFile {
  contentType: string;
  /** Its name changes with its content, so caches may keep it indefinitely. */
  immutable: boolean;
  etag: string;
  /** Hashes of a page's inline styles for its Content-Security-Policy. */
  inlineStyles: readonly string[];
  /** The content in each encoding, compressed ahead of time. */
  variants: Partial<Record<Encoding, Buffer>>;
}

/** The built files by URL path: "/assets/app-3f2a.js". Nothing else can be reached. */
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

const COMPRESSED = { '.br': 'br', '.gz': 'gzip' } as const;

/** Settings that differ between sites that serve the same build. */
export type Site = Pick<GatewayConfig, 'siteUrl' | 'organisation' | 'claimsOff'>;

/** Placeholders in the build for that; in pages they stand in markup and attributes. */
const PLACEHOLDERS = /%(?:SITE_URL|TIME_ZONE|ORGANISATION|SELLER|CONTACT_EMAIL|YEAR|CLAIMS_OFF)%/g;
const FILLED_IN = new Set(['.html', '.js', '.txt', '.xml', '.webmanifest', '.json']);
/** For smaller files the headers outweigh the savings. */
const MIN_COMPRESSED_BYTES = 512;

/**
 * Reads a built web app, about 5 MB with compressed variants, into memory, so that a newer build may replace
 * it on the disk meanwhile.
 */
export async function listWebFiles(distDir: string, site: Site): Promise<WebFiles> {
  const values = valuesOf(site);
  const fill = (written: Buffer) => fillIn(written, values, site.claimsOff);
  const entries = await readdir(distDir, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(distDir, join(entry.parentPath, entry.name)));
  const known = new Set(names);
  const originals = names.filter((name) => extname(name) in CONTENT_TYPES);
  const files = await Promise.all(originals.map((name) => readWebFile(distDir, name, known, fill)));
  return new Map(files.map((file, index) => [`/${originals[index]!.split(sep).join('/')}`, file]));
}

async function readWebFile(
  distDir: string,
  name: string,
  known: ReadonlySet<string>,
  fill: (written: Buffer) => Buffer,
): Promise<WebFile> {
  const immutable = name.startsWith(`assets${sep}`);
  const written = await readFile(join(distDir, name));
  const content = !immutable && FILLED_IN.has(extname(name)) ? fill(written) : written;
  const variants: WebFile['variants'] = { identity: content };
  if (content === written) {
    for (const [suffix, encoding] of Object.entries(COMPRESSED))
      if (known.has(name + suffix)) variants[encoding] = await readFile(join(distDir, name + suffix));
  } else if (content.length >= MIN_COMPRESSED_BYTES) {
    variants.br = await brotli(content);
    variants.gzip = await gzip(content);
  }
  return {
    contentType: CONTENT_TYPES[extname(name)]!,
    immutable,
    etag: tagOf(content),
    inlineStyles: extname(name) === '.html' ? stylesIn(content) : [],
    variants,
  };
}

type Values = ReturnType<typeof valuesOf>;

function valuesOf({ siteUrl, organisation, claimsOff }: Site) {
  const { legalName, taxId, address, contactEmail } = organisation;
  return {
    '%SITE_URL%': siteUrl.replace(/\/$/, ''),
    '%TIME_ZONE%': organisationTimeZone(),
    '%ORGANISATION%': escapeHtml(JSON.stringify(organisation)),
    '%SELLER%': escapeHtml(sellerLine({ legalName, taxId, address })),
    '%CONTACT_EMAIL%': escapeHtml(contactEmail),
    '%YEAR%': dayOf(new Date()).slice(0, 4),
    '%CLAIMS_OFF%': claimsOff.join(' '),
  };
}

function fillIn(written: Buffer, values: Values, claimsOff: readonly Claim[]): Buffer {
  const text = written.toString();
  const filled = cutClaims(text, claimsOff).replace(PLACEHOLDERS, (name) => values[name as keyof Values]);
  return filled === text ? written : Buffer.from(filled);
}

const stylesIn = (page: Buffer): string[] =>
  [...page.toString().matchAll(/<style>(.*?)<\/style>/gs)].map(
    ([, text]) => `sha256-${createHash('sha256').update(text!).digest('base64')}`,
  );

export const tagOf = (content: Buffer): string =>
  createHash('sha256').update(content).digest('base64url').slice(0, 22);
