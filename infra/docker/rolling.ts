import { SERVICES } from '@arboleda/contracts/services.ts';
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Runs `docker …` and returns its output. */
export type Docker = (...args: string[]) => Promise<string>;

/** The gateway resolves addresses every second, so it finds the new containers within this time. */
const FOUND_WITHIN_MS = 3_000;
/** DRAIN_SECONDS plus at most ten seconds for requests in progress. */
const STOP_WITHIN_SECONDS = 20;

const machine: Docker = async (...args) => (await promisify(execFile)('docker', args)).stdout;

/** They add what a new version needs of the engines, and remove nothing that the previous one uses. */
const SETUPS = ['postgres-setup', 'mongodb-setup', 'minio-setup'];

/**
 * Replaces the containers of each service by as many new ones, once the engines are ready for them. Kafka's grants that only
 * the previous version needs are revoked when all services are replaced.
 * @param project options between `docker compose` and its command: `-p`, `--env-file`
 */
export async function rollServices(
  services: readonly string[],
  say: (line: string) => void,
  { docker = machine, project = [] }: { docker?: Docker; project?: readonly string[] } = {},
): Promise<void> {
  const setUpKafka = (...command: string[]) =>
    docker('compose', ...project, 'run', '--rm', '--no-deps', 'kafka-setup', ...command);
  await docker('compose', ...project, 'up', '--no-deps', ...SETUPS);
  await setUpKafka('node', 'infra/chassis/kafka-setup/main.ts', '--keep');
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
  if (SERVICES.every((service) => services.includes(service))) await setUpKafka();
}
