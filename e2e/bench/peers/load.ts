import { join } from 'node:path';
import { installPeers } from './peers.ts';
import { CORES, outputOf, start } from './processes.ts';

/** A request that is made again and again. */
export interface Work {
  name: string;
  method: 'GET' | 'POST';
  path: string;
  body?: string;
}

/** What one round of a load saw. */
export interface Round {
  /** Those that were 2xx. */
  answers: number;
  perSecond: number;
  p99Ms: number;
  /** Answers that were not 2xx, and calls without an answer. */
  failures: number;
}

/** Opens the load generator: https://github.com/mcollina/autocannon, in a process of its own beside what is not measured. */
export async function openLoad() {
  const folder = await installPeers('load', { autocannon: '^9.0.0' });
  const program = join(folder, 'node_modules/autocannon/autocannon.js');
  return async (
    url: string,
    { method, path, body }: Work,
    connections: number,
    seconds: number,
  ): Promise<Round> => {
    const sent = body ? ['--body', body, '--headers', 'content-type=application/json'] : [];
    const args = [
      '--json',
      '--no-progress',
      '-c',
      connections,
      '-d',
      seconds,
      '-m',
      method,
      ...sent,
      `${url}${path}`,
    ];
    const output = await outputOf(
      start({ args: [program, ...args.map(String)], core: CORES.others }, 'pipe'),
    );
    const seen = JSON.parse(output) as {
      '2xx': number;
      duration: number;
      non2xx: number;
      errors: number;
      latency: { p99: number };
    };
    return {
      answers: seen['2xx'],
      perSecond: seen['2xx'] / seen.duration,
      p99Ms: seen.latency.p99,
      failures: seen.non2xx + seen.errors,
    };
  };
}
