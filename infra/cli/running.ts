import type { Environment } from '@arboleda/chassis/environment.ts';
import { runningPostgres } from '@arboleda/postgres/postgres.ts';
import { spawnSync, type SpawnSyncOptions, type SpawnSyncReturns } from 'node:child_process';
import { join } from 'node:path';
import { dataDirPath } from './embedded/data-dir.ts';
import { readSecrets } from './embedded/secrets.ts';
import { Fault } from './terminal/command.ts';

/** The installation that a command is about: reached by an environment, or in docker compose containers. */
export type Running = { kind: 'here'; env: Environment } | { kind: 'containers'; env?: undefined };

/**
 * Prefers what the environment names, then a running `npm start`, then containers. @returns undefined when there is
 * none
 */
export function findRunning(env: Environment): Running | undefined {
  const databaseUrl = env.DATABASE_URL || databaseOf(dataDirPath(env));
  if (env.KAFKA_BROKERS || databaseUrl) return { kind: 'here', env: { ...env, DATABASE_URL: databaseUrl } };
  const containers = spawnSync('docker', ['compose', 'ps', '--all', '--quiet'], { encoding: 'utf8' });
  return containers.status === 0 && containers.stdout.trim() !== '' ? { kind: 'containers' } : undefined;
}

function databaseOf(dataDir: string): string | undefined {
  const password = readSecrets(join(dataDir, 'secrets.json'))?.postgresPassword;
  return password && runningPostgres({ dir: join(dataDir, 'postgres'), password });
}

/** @throws Fault when nothing runs */
export function requireRunning(env: Environment): Running {
  const running = findRunning(env);
  if (!running) throw new Fault('Nothing is running here: npm start, or docker compose up.');
  return running;
}

/** Runs a script in the environment of the installation, or in a service's container. */
export function runScript(
  { kind, env }: Running,
  service: string,
  script: readonly string[],
  options: SpawnSyncOptions,
): SpawnSyncReturns<string> {
  const [program, args] =
    kind === 'here'
      ? [process.execPath, script]
      : ['docker', ['compose', 'exec', '--no-TTY', service, 'node', ...script]];
  // The default would cut the output at one megabyte.
  const limits = { encoding: 'utf8', maxBuffer: Infinity } as const;
  return spawnSync(program, args, { env, ...limits, ...options }) as SpawnSyncReturns<string>;
}
