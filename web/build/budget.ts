import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Manifest } from './page-html.ts';

/** kB are of 1000 bytes, compressed by gzip where a server would. */
export interface Budget {
  /** What a prerendered page loads before anybody touches it. */
  pages: Record<string, PageSize>;
  /** What a route, or a part that comes later, adds to what every page of the app loads. */
  chunkKb: number;
  /** What the service worker keeps for days without signal. */
  precacheKb: number;
}

interface PageSize {
  scriptKb: number;
  styleKb: number;
}

/** What was built, measured as the budget is written. */
export interface Sizes {
  pages: Record<string, PageSize>;
  /** By source. */
  chunks: Record<string, number>;
  precacheKb: number;
}

/** What of a build is larger than its budget allows, a sentence each. */
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

/** Files that a document names, by what they are. */
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

/** Every file of the service worker's own list. */
export const precached = (serviceWorker: string): string[] =>
  [...serviceWorker.matchAll(/["'{,]url["']?:\s*["'`]\/?([^"'`]+)["'`]/g)].map(([, url]) => url!);

/**
 * What each source that is loaded later brings along, without what is there by then: what the app runs, and whatever
 * any source that can ask for it has brought along.
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

/** What every page of the app runs; a prerendered one once somebody touches it. */
const APP = ['index.html'];

/** @param client the folder that the gateway serves, with its documents */
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

/** Pictures and fonts are compressed already. */
async function sizeKb(file: string): Promise<number> {
  const content = await readFile(file);
  return /\.(js|css|html|svg|webmanifest|json)$/.test(file) ? gzipKb(content) : content.length / 1000;
}

/** @param report a file that is to hold what was measured @throws an error that says what is too large */
export async function keepBudget(client: string, manifest: Manifest, report: string): Promise<void> {
  const budget = JSON.parse(await readFile(new URL('../budget.json', import.meta.url), 'utf8')) as Budget;
  const sizes = await measure(client, manifest, Object.keys(budget.pages));
  await writeFile(report, JSON.stringify(sizes));
  const found = excesses(sizes, budget);
  if (found.length > 0) throw new Error(found.join('\n'));
}
