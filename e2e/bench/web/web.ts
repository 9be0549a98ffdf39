import { table } from '@arboleda/local/terminal/progress.ts';
import { openDataDir, startProduct } from '../../harness/product.ts';
import { median, spread } from '../figures.ts';
import { type Visit, visit } from './lighthouse.ts';
import { readSizes, sizeRows } from './sizes.ts';

const PAGES = ['/', '/plant-trees'];

/** The prerendered pages as Lighthouse's telephone sees them on slow 4G, and what the build weighs. */
export async function web({ quick }: { quick: boolean }): Promise<void> {
  const times = quick ? 1 : 5;
  const data = await openDataDir();
  try {
    const product = await startProduct(data.path, { RATE_LIMIT_SCALE: '0' });
    try {
      // Once for nothing: pictures of the page are then in the server's memory.
      await visit(product.url);
      for (const path of PAGES) {
        const visits: Visit[] = [];
        for (let at = 0; at < times; at++) visits.push(await visit(`${product.url}${path}`));
        console.log(table(`${path}, median of ${times} visits`, pageRows(visits)));
      }
    } finally {
      await product.stop();
    }
  } finally {
    await data.remove();
  }
  console.log(table('Sizes, kB of 1000 bytes', sizeRows(await readSizes())));
}

function pageRows(visits: readonly Visit[]): [string, string][] {
  const all = (pick: (visit: Visit) => number) => visits.map(pick);
  const ms = (pick: (visit: Visit) => number) => `${median(all(pick)).toFixed(0)} ms (${spread(all(pick))})`;
  return [
    ['first contentful paint', ms(({ fcpMs }) => fcpMs)],
    ['largest contentful paint, at most 1200 ms', ms(({ lcpMs }) => lcpMs)],
    ['  which is', visits[0]!.lcpElement],
    ['total blocking time, at most 50 ms', ms(({ tbtMs }) => tbtMs)],
    ['cumulative layout shift, at most 0.01', median(all(({ cls }) => cls)).toFixed(4)],
    ['accessibility', String(Math.min(...all(({ accessibility }) => accessibility)))],
    ['best practices', String(Math.min(...all(({ bestPractices }) => bestPractices)))],
    ['  lost points by', [...new Set(visits.flatMap(({ faults }) => faults))].join(', ') || 'nothing'],
  ];
}
