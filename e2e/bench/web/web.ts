import { launchBrowser } from '../../harness/browser.ts';
import { openProduct } from '../../harness/product.ts';
import { type Figures, inRounds, withSpread } from '../figures.ts';
import { gzipKbOf, PLAIN_PAINTING, type Visit, visit } from './lighthouse.ts';
import { readLanding, startNext, startVite } from './competitors.ts';
import { CLICKS, nextPage } from './next-page.ts';

/** Figures of all visits of a page. */
type Row = readonly [what: string, of: (visits: readonly Visit[]) => string];

const each = (read: (visit: Visit) => number, decimals: number) => (visits: readonly Visit[]) =>
  withSpread(visits.map(read), decimals);
const least = (read: (visit: Visit) => number) => (visits: readonly Visit[]) =>
  String(Math.min(...visits.map(read)));

const ROWS: readonly Row[] = [
  ['first contentful paint, ms', each(({ fcpMs }) => fcpMs, 0)],
  ['largest contentful paint, ms', each(({ lcpMs }) => lcpMs, 0)],
  ['… which is', ([first]) => first!.lcpElement],
  ['total blocking time, ms', each(({ tbtMs }) => tbtMs, 0)],
  ['cumulative layout shift', each(({ cls }) => cls, 4)],
  ['everything loaded, kB', each(({ transferredKb }) => transferredKb, 0)],
  ['accessibility', least(({ accessibility }) => accessibility)],
  ['best practices', least(({ bestPractices }) => bestPractices)],
  [
    '… lost points by',
    (visits) => [...new Set(visits.flatMap(({ faults }) => faults))].join(', ') || 'nothing',
  ],
];

/** Prerendered pages as Lighthouse's telephone sees them, the landing page beside the same content made by others. */
export async function web({ quick }: { quick: boolean }): Promise<Figures> {
  const times = quick ? 1 : 5;
  await using closing = new AsyncDisposableStack();
  const product = closing.use(await openProduct({ RATE_LIMIT_SCALE: '0' }));
  const landing = await readLanding();
  const pages = [
    { name: '/', url: product.url },
    { name: '/plant-trees', url: `${product.url}/plant-trees` },
    await startVite(landing, closing),
  ];
  // It takes longer to install and to build than a quick run may last.
  if (!quick) pages.push(await startNext(landing, closing));
  // Once for nothing: pictures of the page are then in the server's memory.
  if (!quick) await inRounds(1, pages, ({ url }) => visit(url));
  const visited = await inRounds(times, pages, ({ url }) => visit(url));
  const seen = [...visited.values()];
  const scriptsKb = await Promise.all(seen.map(([first]) => gzipKbOf(first!.scripts)));
  const browser = await launchBrowser(PLAIN_PAINTING);
  closing.defer(() => browser.close());
  const clicked = await inRounds(times, CLICKS, (click) => nextPage(browser, product.url, click));
  return {
    bench: 'web',
    work:
      `${times} visits of each page in turn by Lighthouse’s telephone on its slow 4G, with a browser that has seen nothing. ` +
      'The competitors of the landing page are made by this bench of the built page: the same markup, words, pictures, typefaces and ' +
      'style. Vite and React draw it in the browser; their files come from memory, compressed by Brotli. Next.js prerenders it as a ' +
      'page of its app router without a part of the client, served by `next start`. Both leave out the calls for figures and prices, ' +
      'which ours makes. Clicks: a finger on a link of a phone whose line and processor are as slow, applied and not simulated; later ' +
      'means that the page was scrolled and the app has had five seconds.',
    tables: [
      {
        title: 'Pages; script is what is loaded before anybody touches them',
        columns: ['what', ...pages.map(({ name }) => name)],
        rows: [
          ...ROWS.map(([what, of]) => [what, ...seen.map(of)]),
          ['script, gzip, kB', ...scriptsKb.map((kb) => kb.toFixed(1))],
        ],
      },
      {
        title: 'Largest paint of the next page after a click, ms',
        columns: ['from and to', 'ms'],
        rows: [...clicked].map(([{ name }, ms]) => [name, withSpread(ms, 0)]),
      },
    ],
  };
}
