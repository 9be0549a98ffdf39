import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Manifest } from './page-html.ts';

/** kB are 1000 bytes, gzipped where a server would compress. */
export interface Budget {
  /** Size a prerendered page loads before any interaction. */
  pages: Record<string, PageSize>;
  /** Size a route or a lazy part adds to the app's common files. */
  chunkKb: number;
  /** Size the service worker precaches for offline days. */
  precacheKb: number;
}

interface PageSize {
  scriptKb: number;
  styleKb: number;
}

/** Measured sizes of a build, in the budget's units. */
export interface Sizes {
  pages: Record<string, PageSize>;
  /** Keyed by source. */
  chunks: Record<string, number>;
  precacheKb: number;
}

/** One sentence for each size over budget. */
export function excesses(sizes: Sizes, budget: Budget): string[] {
  const over = (what: string, kb: number, allowedKb: number) =>
    kb > allowedKb
      ? [`${what} is ${kb.toFixed(1)} kB compressed, and web/budget.json allows ${allowedKb} kB.`]
      : [];
  return [
    ...Object.entries(budget.pages).flatMap(([page, { scriptKb, styleKb }]) => {
      const size = sizes.pages[page];
      if (!size) return [`web/budget.json speaks of the page ${page}, which is not built.`];
      return [
        ...over(`The script of ${page} before anybody touches the page`, size.scriptKb, scriptKb),
        ...over(`The style of ${page}`, size.styleKb, styleKb),
      ];
    }),
    ...Object.entries(sizes.chunks).flatMap(([source, kb]) =>
      over(`What ${source} adds to the app`, kb, budget.chunkKb),
    ),
    ...over('What the service worker keeps', sizes.precacheKb, budget.precacheKb),
  ];
}

/** Scripts and styles a document references. */
export function filesOf(html: string): { scripts: string[]; styles: string[]; inlineStyle: string } {
  const tags = html.match(/<(?:link|script)[^>]*>/g) ?? [];
  const named = (wanted: RegExp) => [
    ...new Set(
      tags
        .filter((tag) => wanted.test(tag))
        .flatMap((tag) => /(?:href|src)="\/([^"]+)"/.exec(tag)?.[1] ?? []),
    ),
  ];
  return {
    scripts: named(/rel="modulepreload"|^<script[^>]*src=/),
    styles: named(/rel="stylesheet"/),
    inlineStyle: [...html.matchAll(/<style[^>]*>(.*?)<\/style>/gs)].map(([, text]) => text).join(''),
  };
}

/** URLs in the service worker's precache list. */
export const precached = (serviceWorker: string): string[] =>
  [...serviceWorker.matchAll(/["'{,]url["']?:\s*["'`]\/?([^"'`]+)["'`]/g)].map(([, url]) => url!);

/**
 * Files each lazy source adds beyond the app's own and those of every source that can import it.
 * @returns files by source
 */
export function laterFiles(manifest: Manifest, app: readonly string[]): Map<string, string[]> {
  const reach = (source: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(source) || !manifest[source]) return seen;
    seen.add(source);
    for (const next of manifest[source].imports ?? []) reach(next, seen);
    return seen;
  };
  const known = app.map((source) => reach(source)).reduce((all, some) => all.union(some), new Set());
  const later = Object.keys(manifest).filter(
    (source) => manifest[source]!.isDynamicEntry && /^src\/.*\.tsx?$/.test(source) && !known.has(source),
  );
  const askedBy = (source: string) =>
    Object.keys(manifest).filter((one) => manifest[one]!.dynamicImports?.includes(source));
  return new Map(
    later.map((source) => {
      const there = askedBy(source)
        .map((one) => reach(one))
        .reduce<Set<string> | undefined>((common, some) => common?.intersection(some) ?? some, undefined);
      const own = reach(source)
        .difference(known)
        .difference(there ?? new Set());
      return [source, [...own].map((one) => manifest[one]!.file)];
    }),
  );
}

/** Common to every page of the app; a prerendered page loads it on interaction. */
const APP = ['index.html'];

/** @param client folder the gateway serves, with its documents */
export async function measure(client: string, manifest: Manifest, pages: readonly string[]): Promise<Sizes> {
  const sum = async (files: readonly string[]) => {
    const sizes = await Promise.all([...new Set(files)].map((file) => sizeKb(join(client, file))));
    return sizes.reduce((total, size) => total + size, 0);
  };
  const names = await readdir(client);
  const sizes: Sizes = { pages: {}, chunks: {}, precacheKb: 0 };
  for (const page of pages) {
    for (const name of names.filter((name) => name.startsWith(`${page}.`) && name.endsWith('.html'))) {
      const { scripts, styles, inlineStyle } = filesOf(await readFile(join(client, name), 'utf8'));
      const [scriptKb, styleKb] = [await sum(scripts), (await sum(styles)) + gzipKb(inlineStyle)];
      const { [page]: other = { scriptKb: 0, styleKb: 0 } } = sizes.pages;
      sizes.pages[page] = {
        scriptKb: Math.max(scriptKb, other.scriptKb),
        styleKb: Math.max(styleKb, other.styleKb),
      };
    }
  }
  for (const [source, files] of laterFiles(manifest, APP)) sizes.chunks[source] = await sum(files);
  if (names.includes('sw.js')) {
    const kept = precached(await readFile(join(client, 'sw.js'), 'utf8'));
    const files = await readdir(client, { recursive: true });
    sizes.precacheKb = await sum(kept.filter((file) => files.includes(file)));
  }
  return sizes;
}

const gzipKb = (content: string | Buffer): number =>
  content.length === 0 ? 0 : gzipSync(content, { level: 9 }).length / 1000;

/** Pictures and fonts are already compressed. */
async function sizeKb(file: string): Promise<number> {
  const content = await readFile(file);
  return /\.(js|css|html|svg|webmanifest|json)$/.test(file) ? gzipKb(content) : content.length / 1000;
}

/** @throws Error that lists what is over budget */
export async function keepBudget(client: string, manifest: Manifest): Promise<void> {
  const budget = JSON.parse(await readFile(new URL('../budget.json', import.meta.url), 'utf8')) as Budget;
  const sizes = await measure(client, manifest, Object.keys(budget.pages));
  const found = excesses(sizes, budget);
  if (found.length > 0) throw new Error(found.join('\n'));
}
