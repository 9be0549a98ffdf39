import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';

interface Sizes {
  pages: Record<string, { scriptKb: number; styleKb: number }>;
  chunks: Record<string, number>;
  precacheKb: number;
}

/** Sizes that the build of the web app compared with web/budget.json. */
export const readSizes = async (): Promise<Sizes> =>
  JSON.parse(await readFile(new URL('../../../web/dist/sizes.json', import.meta.url), 'utf8')) as Sizes;

/** Rows of a report: what, and its size. */
export function sizeRows({ pages, chunks, precacheKb }: Sizes): [string, string][] {
  const kb = (size: number) => `${size.toFixed(1)} kB`;
  return [
    ...Object.entries(pages).flatMap(([page, { scriptKb, styleKb }]): [string, string][] => [
      [`script of ${page} before interaction, gzip`, kb(scriptKb)],
      [`style of ${page}, gzip`, kb(styleKb)],
    ]),
    ...Object.entries(chunks)
      .sort(([, a], [, b]) => b - a)
      .map(([source, size]): [string, string] => [`${source} adds, gzip`, kb(size)]),
    ['kept by the service worker, gzip', kb(precacheKb)],
  ];
}

/** Scripts as every server could send them, however each does: gzip, kB of 1000 bytes. */
export async function gzipKbOf(urls: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const url of urls) {
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
    bytes += gzipSync(await answer.bytes(), { level: 9 }).length;
  }
  return bytes / 1000;
}
