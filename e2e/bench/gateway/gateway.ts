import { freePorts } from '@arboleda/local/engines/ports.ts';
import { fileURLToPath } from 'node:url';
import { waitFor } from '../../harness/wait.ts';
import { median, spread } from '../figures.ts';
import { openLoad, type Round, type Work } from '../peers/load.ts';
import { canPin, CORES, end, start } from '../peers/processes.ts';
import { type Contestant, startArboleda, startExpress, startNginx } from './contestants.ts';

const UPSTREAM = fileURLToPath(new URL('upstream.ts', import.meta.url));
const CONNECTIONS = 32;

/** 2,000 bytes. */
const ORDER = JSON.stringify({ trees: 5, text: 'x'.repeat(1_979) });
const WORKS: readonly Work[] = [
  { name: 'GET of 85 B', method: 'GET', path: '/api/stats' },
  { name: 'GET of 10 kB', method: 'GET', path: '/api/pricing/dynamic' },
  { name: 'POST of 2 kB', method: 'POST', path: '/api/pricing/create-payment-intent', body: ORDER },
];

/** The gateway with all its duties on, beside the usual one of Node doing the same and nginx only passing on. */
export async function gateway({ quick }: { quick: boolean }): Promise<void> {
  const [rounds, seconds] = quick ? [1, 1] : [5, 5];
  const load = await openLoad();
  const [port] = await freePorts(1);
  const upstream = `http://127.0.0.1:${port}`;
  const server = start({ args: [UPSTREAM], core: CORES.others, env: { PORT: String(port) } });
  const contestants: Contestant[] = [];
  try {
    await waitFor('the upstream', async () => (await fetch(upstream).catch(() => undefined))?.ok);
    contestants.push(await startArboleda(upstream), await startExpress(upstream));
    const nginx = await startNginx(upstream);
    if (nginx) contestants.push(nginx);
    const pinned = canPin
      ? 'gateway on one core, upstream and generator on the other'
      : 'nothing is kept on a core of its own here';
    console.log(
      `\ngateway: ${CONNECTIONS} connections, ${rounds} rounds of ${seconds} s, in turn; ${pinned}` +
        (nginx ? '' : '; no nginx is installed'),
    );
    for (const work of WORKS) {
      const seen = new Map(contestants.map((one) => [one, [] as Round[]]));
      for (const one of contestants) await load(one.url, work, CONNECTIONS, 1);
      for (let round = 0; round < rounds; round++) {
        for (const one of contestants) seen.get(one)!.push(await load(one.url, work, CONNECTIONS, seconds));
      }
      show(work, seen);
    }
  } finally {
    for (const one of contestants) await one.stop();
    await end(server);
  }
}

function show({ name }: Work, seen: ReadonlyMap<Contestant, readonly Round[]>): void {
  console.log(`\n  ${name}`);
  const rates = (rounds: readonly Round[]) => rounds.map(({ perSecond }) => perSecond);
  const [ours] = [...seen.values()];
  for (const [contestant, rounds] of seen) {
    const perSecond = median(rates(rounds));
    const failures = rounds.reduce((sum, round) => sum + round.failures, 0);
    const ratio = median(rates(ours!)) / perSecond;
    console.log(
      `    ${contestant.name.padEnd(12)} ${perSecond.toFixed(0).padStart(7)} a second (${spread(rates(rounds))})` +
        `   p99 ${median(rounds.map(({ p99Ms }) => p99Ms)).toFixed(1)} ms   Arboleda is ${ratio.toFixed(2)} ×` +
        (failures > 0 ? `   ${failures} failures` : ''),
    );
  }
}
