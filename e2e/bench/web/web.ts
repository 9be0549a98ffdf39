import type { Table } from '../../report/table.ts';
import type { Figures, Series } from '../bench.ts';
import { inRounds, median, pointOf, withSpread } from '../figures.ts';
import { openProduct } from '../processes.ts';
import { gzipKbOf, readSizes, sizeRows, type Visit, visit } from './lighthouse.ts';
import { type Competitor, readLanding, startNext, startVite } from './competitors.ts';

/** Measurements of one page with the content of ours. */
export interface Seen {
  name: string;
  visits: readonly Visit[];
  /** Before anybody touches it, gzip, kB of 1000 bytes. */
  scriptKb: number;
}

interface Row {
  what: string;
  values: (seen: Seen) => readonly number[];
  decimals: number;
}

const ofVisits =
  (read: (visit: Visit) => number) =>
  ({ visits }: Seen) =>
    visits.map(read);

const ROWS: readonly Row[] = [
  { what: 'first contentful paint, ms', values: ofVisits(({ fcpMs }) => fcpMs), decimals: 0 },
  { what: 'largest contentful paint, ms', values: ofVisits(({ lcpMs }) => lcpMs), decimals: 0 },
  { what: 'total blocking time, ms', values: ofVisits(({ tbtMs }) => tbtMs), decimals: 0 },
  { what: 'cumulative layout shift', values: ofVisits(({ cls }) => cls), decimals: 4 },
  { what: 'script before interaction, gzip, kB', values: ({ scriptKb }) => [scriptKb], decimals: 1 },
  { what: 'everything loaded, kB', values: ofVisits(({ transferredKb }) => transferredKb), decimals: 0 },
];

/** The pages beside each other, and how many times the first one's figure each other one's is. */
function besideTable([ours, ...others]: readonly [Seen, ...Seen[]]): Table {
  const all = [ours, ...others];
  return {
    title: 'The landing page beside the same content made by others',
    columns: ['what', ...all.map(({ name }) => name), ...others.map(({ name }) => `${name} ÷ ours`)],
    rows: ROWS.map(({ what, values, decimals }) => [
      what,
      ...all.map((one) => shown(values(one), decimals)),
      ...others.map((one) => ratio(median(values(one)), median(values(ours)))),
    ]),
  };
}

const shown = (values: readonly number[], decimals: number): string =>
  values.length === 1 ? values[0]!.toFixed(decimals) : withSpread(values, decimals);

/** Nothing is any times none. */
const ratio = (theirs: number, ours: number): string =>
  ours === 0 ? '–' : `${(theirs / ours).toFixed(1)} ×`;

const CHECKOUT = '/plant-trees';
const WORK =
  'visits of each page by Lighthouse’s telephone on its slow 4G, with a browser that has seen nothing; the landing pages in turn. ' +
  'Its competitors are made by this bench of the built page: the same markup, words, pictures, typefaces and style. Vite and React draw ' +
  'it in the browser; their files come from memory, compressed by Brotli. Next.js prerenders it as a page of its app router ' +
  'without a part of the client, served by `next start`. Both leave out the calls for figures and prices, which ours makes.';

/** The prerendered pages as Lighthouse's telephone sees them, the landing page beside others', and what the build weighs. */
export async function web({ quick }: { quick: boolean }): Promise<Figures> {
  const times = quick ? 1 : 5;
  await using product = await openProduct({ RATE_LIMIT_SCALE: '0' });
  await using closing = new AsyncDisposableStack();
  const keep = (competitor: Competitor): Competitor => closing.adopt(competitor, (one) => one.stop());
  const landing = await readLanding();
  const pages: { name: string; url: string }[] = [{ name: 'Arboleda', url: product.url }];
  pages.push(keep(await startVite(landing)));
  // It takes longer to install and to build than a quick run may last.
  if (!quick) pages.push(keep(await startNext(landing)));
  // Once for nothing: pictures of the page are then in the server's memory.
  if (!quick) for (const { url } of pages) await visit(url);
  const landings: Seen[] = [];
  for (const [{ name }, visits] of await inRounds(times, pages, ({ url }) => visit(url)))
    landings.push({ name, visits, scriptKb: await gzipKbOf(visits[0]!.scripts) });
  const checkout: Visit[] = [];
  if (!quick) {
    for (let at = 0; at < times; at++) checkout.push(await visit(`${product.url}${CHECKOUT}`));
  }
  return figuresOf(times, landings as [Seen, ...Seen[]], checkout);
}

async function figuresOf(
  times: number,
  landings: [Seen, ...Seen[]],
  checkout: readonly Visit[],
): Promise<Figures> {
  const ours = [
    { path: '/', visits: landings[0].visits },
    { path: CHECKOUT, visits: checkout },
  ].filter(({ visits }) => visits.length > 0);
  const sizes: Table = {
    title: 'Sizes, kB of 1000 bytes',
    columns: ['what', 'size'],
    rows: sizeRows(await readSizes()),
    isDetail: true,
  };
  return {
    bench: 'web',
    work: `${times} ${WORK}`,
    tables: [...ours.map(({ path, visits }) => pageTable(path, visits)), besideTable(landings), sizes],
    plot: {
      kind: 'bars',
      unit: 'ms',
      series: [
        ...ours.map(({ path, visits }) => seriesOf(path, visits)),
        ...landings.slice(1).map(({ name, visits }) => seriesOf(`/ by ${name}`, visits)),
      ],
    },
  };
}

type Timed = 'fcpMs' | 'lcpMs' | 'tbtMs';
const all = (visits: readonly Visit[], time: Timed): number[] => visits.map((one) => one[time]);

const seriesOf = (name: string, visits: readonly Visit[]): Series => ({
  name,
  points: [
    pointOf('first paint', all(visits, 'fcpMs')),
    pointOf('largest paint', all(visits, 'lcpMs')),
    pointOf('blocked', all(visits, 'tbtMs')),
  ],
});

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
