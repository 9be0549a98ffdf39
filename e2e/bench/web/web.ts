import { openDataDir, startProduct } from '../../harness/product.ts';
import type { Table } from '../../report/table.ts';
import { median, pointOf, withSpread } from '../figures.ts';
import type { Figures } from '../report/bench.ts';
import { type Visit, visit } from './lighthouse.ts';
import { readSizes, sizeRows } from './sizes.ts';

const PAGES = ['/', '/plant-trees'];

/** The prerendered pages as Lighthouse's telephone sees them on slow 4G, and what the build weighs. */
export async function web({ quick }: { quick: boolean }): Promise<Figures> {
  const times = quick ? 1 : 5;
  const pages = quick ? PAGES.slice(0, 1) : PAGES;
  const seen = new Map<string, Visit[]>();
  const data = await openDataDir();
  try {
    const product = await startProduct(data.path, { RATE_LIMIT_SCALE: '0' });
    try {
      // Once for nothing: pictures of the page are then in the server's memory.
      if (!quick) await visit(product.url);
      for (const path of pages) {
        const visits: Visit[] = [];
        for (let at = 0; at < times; at++) visits.push(await visit(`${product.url}${path}`));
        seen.set(path, visits);
      }
    } finally {
      await product.stop();
    }
  } finally {
    await data.remove();
  }
  const sizes: Table = {
    title: 'Sizes, kB of 1000 bytes',
    columns: ['what', 'size'],
    rows: sizeRows(await readSizes()),
  };
  return {
    bench: 'web',
    work: `${times} visits of each page by Lighthouse's telephone on its slow 4G, with a browser that has seen nothing.`,
    tables: [...[...seen].map(([path, visits]) => pageTable(path, visits)), sizes],
    plot: {
      kind: 'bars',
      unit: 'ms',
      series: [...seen].map(([path, visits]) => ({
        name: path,
        points: [
          pointOf('first paint', all(visits, 'fcpMs')),
          pointOf('largest paint', all(visits, 'lcpMs')),
          pointOf('blocked', all(visits, 'tbtMs')),
        ],
      })),
    },
  };
}

type Timed = 'fcpMs' | 'lcpMs' | 'tbtMs';
const all = (visits: readonly Visit[], time: Timed): number[] => visits.map((one) => one[time]);

const pageTable = (path: string, visits: readonly Visit[]): Table => ({
  title: path,
  columns: ['what', 'figure'],
  rows: pageRows(visits),
});

function pageRows(visits: readonly Visit[]): [string, string][] {
  const ms = (time: Timed) => `${withSpread(all(visits, time), 0)} ms`;
  return [
    ['first contentful paint', ms('fcpMs')],
    ['largest contentful paint, at most 1200 ms', ms('lcpMs')],
    ['… which is', visits[0]!.lcpElement],
    ['total blocking time, at most 50 ms', ms('tbtMs')],
    ['cumulative layout shift, at most 0.01', median(visits.map(({ cls }) => cls)).toFixed(4)],
    ['accessibility', String(Math.min(...visits.map(({ accessibility }) => accessibility)))],
    ['best practices', String(Math.min(...visits.map(({ bestPractices }) => bestPractices)))],
    ['… lost points by', [...new Set(visits.flatMap(({ faults }) => faults))].join(', ') || 'nothing'],
  ];
}
