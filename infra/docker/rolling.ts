import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/** `docker …`, and what it printed. */
export type Docker = (...args: string[]) => Promise<string>;

/** The gateway asks for new addresses every second; the old ones stay until it knows the new. */
const FOUND_WITHIN_MS = 3_000;
/** DRAIN_SECONDS, then at most ten to finish what is in hand. */
const STOP_WITHIN_SECONDS = 20;

const machine: Docker = async (...args) => (await promisify(execFile)('docker', args)).stdout;

/**
 * Puts as many new containers in the place of each service's running ones.
 * @param project what comes between `docker compose` and its command: `-p`, `--env-file`
 */
export async function rollServices(
  services: readonly string[],
  say: (line: string) => void,
  { docker = machine, project = [] }: { docker?: Docker; project?: readonly string[] } = {},
): Promise<void> {
  for (const service of services) {
    const before = (await docker('compose', ...project, 'ps', '--quiet', service))
      .split('\n')
      .filter(Boolean);
    if (before.length === 0) {
      say(`${service}: not running`);
      continue;
    }
    const scale = (count: number) =>
      docker(
        'compose',
        ...project,
        'up',
        '--detach',
        '--wait',
        '--no-deps',
        '--no-recreate',
        '--scale',
        `${service}=${count}`,
        service,
      );
    await scale(before.length * 2);
    await sleep(FOUND_WITHIN_MS);
    await docker('stop', '--time', String(STOP_WITHIN_SECONDS), ...before);
    await docker('rm', ...before);
    say(`${service}: ${before.length} replaced`);
  }
}
