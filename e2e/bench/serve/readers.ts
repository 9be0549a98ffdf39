import { type Dispatcher, Pool } from 'undici';
import { percentile } from '../figures.ts';
import type { Round } from '../load.ts';
import type { Reading } from './serve.ts';

/**
 * A process that reads: see serve.ts. By undici's dispatcher, which lets bytes go as they come: autocannon turns them into a
 * string, and reads photos at 70 MB a second, a tenth of what is served.
 */
const { url, headers, status, connections, seconds } = JSON.parse(process.argv[2]!) as Reading;
const { origin, pathname, search } = new URL(url);
const pool = new Pool(origin, { connections, pipelining: 1 });
const call: Dispatcher.DispatchOptions = { method: 'GET', path: pathname + search, headers };

/** Asks once and reads the answer. @returns its status */
const ask = (): Promise<number> =>
  new Promise((resolve, reject) => {
    let answered = 0;
    pool.dispatch(call, {
      onRequestStart: () => {},
      onResponseStart: (_, code) => void (answered = code),
      onResponseData: () => {},
      onResponseEnd: () => resolve(answered),
      onResponseError: (_, error) => reject(error),
    });
  });

const durationsMs: number[] = [];
let failures = 0;
const startedAt = performance.now();
const secondsSoFar = () => (performance.now() - startedAt) / 1_000;

async function readOn(): Promise<void> {
  while (secondsSoFar() < seconds) {
    const askedAt = performance.now();
    if ((await ask()) === status) durationsMs.push(performance.now() - askedAt);
    else failures += 1;
  }
}
await Promise.all(Array.from({ length: connections }, readOn));

const seen: Round = {
  answers: durationsMs.length,
  perSecond: durationsMs.length / secondsSoFar(),
  p99Ms: percentile(durationsMs, 0.99),
  failures,
};
await pool.close();
console.log(JSON.stringify(seen));
