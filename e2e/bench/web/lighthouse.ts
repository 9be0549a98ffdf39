import { freePorts } from '@arboleda/postgres/free-ports.ts';
import lighthouse from 'lighthouse';
import { gzipSync } from 'node:zlib';
import { launchBrowser } from '../../harness/browser.ts';

/** One visit by Lighthouse's phone on slow 4G. Times in ms; scores of 100. */
export interface Visit {
  lcpMs: number;
  fcpMs: number;
  tbtMs: number;
  cls: number;
  accessibility: number;
  bestPractices: number;
  /** Audits that lost points in any category but performance, such as "errors-in-console". */
  faults: string[];
  /** Selector of the largest paint. */
  lcpElement: string;
  /** Addresses of the scripts that it loaded. */
  scripts: string[];
  /** Everything that it loaded, as it was sent: kB of 1000 bytes. */
  transferredKb: number;
}

/** A telephone has a chip that paints; one that is played by software takes the processor from the page. */
export const PLAIN_PAINTING = ['--disable-gpu', '--disable-software-rasterizer'];

/**
 * Visits an address with a browser that has seen nothing.
 * https://github.com/GoogleChrome/lighthouse/blob/main/docs/throttling.md : simulated, 150 ms, 1.6 Mbit/s, processor ÷ 4
 */
export async function visit(url: string): Promise<Visit> {
  const [port] = await freePorts(1);
  const browser = await launchBrowser([`--remote-debugging-port=${port}`, ...PLAIN_PAINTING]);
  try {
    const result = await lighthouse(url, {
      port: port!,
      logLevel: 'error',
      onlyCategories: ['performance', 'accessibility', 'best-practices'],
    });
    if (!result || result.lhr.runtimeError)
      throw new Error(`Lighthouse: ${result?.lhr.runtimeError?.message}`);
    const { audits, categories } = result.lhr;
    const value = (audit: string) => audits[audit]!.numericValue!;
    const loaded = requestsOf(audits['network-requests']);
    const points = (category: string) => Math.round((categories[category]!.score ?? 0) * 100);
    return {
      lcpMs: value('largest-contentful-paint'),
      fcpMs: value('first-contentful-paint'),
      tbtMs: value('total-blocking-time'),
      cls: value('cumulative-layout-shift'),
      accessibility: points('accessibility'),
      bestPractices: points('best-practices'),
      faults: ['accessibility', 'best-practices'].flatMap((category) =>
        categories[category]!.auditRefs.filter(
          ({ id, weight }) => weight > 0 && audits[id]!.score !== null && audits[id]!.score! < 1,
        ).map(({ id }) => id),
      ),
      lcpElement: lcpElementOf(audits),
      scripts: loaded.filter(({ resourceType }) => resourceType === 'Script').map(({ url }) => url),
      transferredKb: loaded.reduce((sum, { transferSize }) => sum + transferSize, 0) / 1000,
    };
  } finally {
    await browser.close();
  }
}

function lcpElementOf(audits: Record<string, unknown>): string {
  const text = JSON.stringify(audits['lcp-breakdown-insight'] ?? {});
  return /"selector":"([^"]+)"/.exec(text)?.[1] ?? '?';
}

interface Requested {
  url: string;
  /** "Script", "Image"… */
  resourceType: string;
  /** Bytes. */
  transferSize: number;
}

/** https://github.com/GoogleChrome/lighthouse/blob/main/core/audits/network-requests.js */
function requestsOf(audit: { details?: unknown } | undefined): Requested[] {
  const { items } = (audit?.details ?? {}) as { items?: Requested[] };
  if (!items?.length) throw new Error('Lighthouse did not tell what was loaded.');
  return items;
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
