import { join } from 'node:path';
import { installPeers } from './peers.ts';
import { CORES, outputOf, start } from './processes.ts';

/** A request that is made again and again. */
export interface Work {
  name: string;
  method: 'GET' | 'POST';
  path: string;
  body?: string;
  headers?: Readonly<Record<string, string>>;
  /** Expected status; 200 when absent. */
  status?: number;
}

/** Result of one round. */
export interface Round {
  /** Those of the status that was wanted. */
  answers: number;
  perSecond: number;
  p99Ms: number;
  /** Answers of another status, and calls without an answer. */
  failures: number;
}

/** Opens the load generator: https://github.com/mcollina/autocannon, in a process of its own beside what is not measured. */
export async function openLoad() {
  const folder = await installPeers('load', { autocannon: '^9.0.0' });
  const program = join(folder, 'node_modules/autocannon/autocannon.js');
  return async (
    url: string,
    { method, path, body, headers = {}, status = 200 }: Work,
    connections: number,
    seconds: number,
  ): Promise<Round> => {
    const named = { ...(body && { 'content-type': 'application/json' }), ...headers };
    const sent = [
      ...(body ? ['--body', body] : []),
      ...Object.entries(named).flatMap(([name, value]) => ['--headers', `${name}=${value}`]),
    ];
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
      statusCodeStats: Record<string, { count: number }>;
      duration: number;
      errors: number;
      latency: { p99: number };
    };
    const good = seen.statusCodeStats[status]?.count ?? 0;
    const answered = Object.values(seen.statusCodeStats).reduce((sum, { count }) => sum + count, 0);
    return {
      answers: good,
      perSecond: good / seen.duration,
      p99Ms: seen.latency.p99,
      failures: answered - good + seen.errors,
    };
  };
}
