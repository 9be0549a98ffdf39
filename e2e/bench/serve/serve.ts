import { familyCpuSeconds } from '../../reliability/soak/samples.ts';
import type { Table } from '../../report/table.ts';
import { median, pointOf, withSpread } from '../figures.ts';
import { canPin } from '../peers/processes.ts';
import type { Figures } from '../report/bench.ts';
import { type Contestant, openContestants, type Served } from './contestants.ts';
import { read, type Reading } from './reading.ts';

const CONNECTIONS = 32;
/** Some 20,000 photos: what serves the first ones is still being compiled. */
const WARM_UP_SECONDS = 6;
/** The first part of a picture, as it is asked for when a download goes on. */
const RANGE = 'bytes=0-65535';

/** One way to ask for a file. */
interface Asked {
  name: string;
  what: (contestant: Contestant) => Served;
  status: number;
  headers(etag: string): Record<string, string>;
}

const WAYS: readonly Asked[] = [
  { name: 'photo', what: ({ photo }) => photo, status: 200, headers: () => ({}) },
  {
    name: 'photo, 304',
    what: ({ photo }) => photo,
    status: 304,
    headers: (etag) => ({ 'if-none-match': etag }),
  },
  { name: 'photo, 206', what: ({ photo }) => photo, status: 206, headers: () => ({ range: RANGE }) },
  { name: 'script', what: ({ script }) => script, status: 200, headers: () => ({}) },
  {
    name: 'script, 304',
    what: ({ script }) => script,
    status: 304,
    headers: (etag) => ({ 'if-none-match': etag }),
  },
];

type Asking = Omit<Reading, 'seconds'>;

interface Seen {
  perSecond: number[];
  p99Ms: number[];
  /** Processor time for one answer, over all processes of a contestant. */
  cpuUs: number[];
  failures: number;
}

/** Photos and files of the web app, whole, unchanged and in part, beside nginx with the same files. */
export async function serve({ quick }: { quick: boolean }): Promise<Figures> {
  const [rounds, seconds, warmUpSeconds] = quick ? [1, 1, 1] : [5, 3, WARM_UP_SECONDS];
  const ways = quick ? WAYS.slice(0, 3) : WAYS;
  const { contestants, close } = await openContestants();
  try {
    const measured = new Map<Asked, Map<Contestant, Seen>>();
    for (const way of ways) {
      const asked = new Map<Contestant, Asking>();
      for (const one of contestants) asked.set(one, await askingOf(way, one));
      const seen = new Map(contestants.map((one) => [one, emptySeen()]));
      for (const one of contestants) await read({ ...asked.get(one)!, seconds: warmUpSeconds });
      for (let round = 0; round < rounds; round++) {
        for (const one of contestants) {
          const before = cpuSeconds(one);
          const found = await read({ ...asked.get(one)!, seconds });
          const into = seen.get(one)!;
          into.perSecond.push(found.perSecond);
          into.p99Ms.push(found.p99Ms);
          into.cpuUs.push(((cpuSeconds(one) - before) * 1e6) / found.answers);
          into.failures += found.failures;
        }
      }
      measured.set(way, seen);
    }
    const { photo, script } = contestants[0]!;
    const cores = canPin
      ? 'The gateway and media share one core, as nginx with one worker does; the generator and PostgreSQL have the other'
      : 'Nothing is kept on a core of its own here';
    return {
      bench: 'serve',
      work:
        `A ${photo.name}, and a ${script.name}; unchanged ones answered 304, and the first 64 KiB answered 206. ` +
        `${CONNECTIONS} connections, ${rounds} rounds of ${seconds} s, in turn. ${cores}: where it is the generator that ` +
        'limits, the time of the processor for an answer says more. Aim: at least 0.25 × nginx.' +
        (contestants.length > 1 ? '' : ' No nginx is installed.'),
      tables: [...measured].map(([way, seen]) => tableOf(way, contestants, seen)),
      plot: {
        kind: 'bars',
        unit: 'answers a second',
        series: contestants.map((one) => ({
          name: one.name,
          points: [...measured].map(([way, seen]) => pointOf(way.name, seen.get(one)!.perSecond)),
        })),
      },
    };
  } finally {
    await close();
  }
}

const emptySeen = (): Seen => ({ perSecond: [], p99Ms: [], cpuUs: [], failures: 0 });

const cpuSeconds = ({ pids }: Contestant): number =>
  pids.reduce((sum, pid) => sum + familyCpuSeconds(pid), 0);

async function askingOf({ what, status, headers }: Asked, contestant: Contestant): Promise<Asking> {
  const url = `${contestant.url}${what(contestant).path}`;
  // Later requests ask for no encoding, and each encoding has its own tag.
  const found = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
  await found.arrayBuffer();
  if (!found.ok) throw new Error(`${contestant.name} answers ${url} with ${found.status}`);
  return { url, status, headers: headers(found.headers.get('etag') ?? ''), connections: CONNECTIONS };
}

function tableOf(way: Asked, contestants: readonly Contestant[], seen: ReadonlyMap<Contestant, Seen>): Table {
  const ours = seen.get(contestants[0]!)!;
  const times = (ratio: number) => `${ratio.toFixed(2)} ×`;
  return {
    title: way.name,
    columns: [
      'by',
      'a second',
      'Arboleda is',
      'processor, µs an answer',
      'Arboleda is, by it',
      'p99 ms',
      'failures',
    ],
    rows: contestants.map((one) => {
      const { perSecond, p99Ms, cpuUs, failures } = seen.get(one)!;
      return [
        one.name,
        withSpread(perSecond, 0),
        times(median(ours.perSecond) / median(perSecond)),
        withSpread(cpuUs, 0),
        times(median(cpuUs) / median(ours.cpuUs)),
        median(p99Ms),
        failures,
      ];
    }),
  };
}
