import type { Environment } from '@arboleda/chassis/environment.ts';
import { runningPostgres } from '@arboleda/postgres/postgres.ts';
import { spawnSync, type SpawnSyncOptions, type SpawnSyncReturns } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataDirPath } from './embedded/data-dir.ts';
import type { Secrets } from './embedded/secrets.ts';

/** The installation that a command is about: reached by an environment, or in docker compose containers. */
export type Running = { kind: 'here'; env: Environment } | { kind: 'containers' };

/**
 * Prefers what the environment names, then a running `npm start`, then containers. @returns undefined when there is
 * none
 */
export function findRunning(env: Environment): Running | undefined {
  const databaseUrl = env.DATABASE_URL || databaseOf(dataDirPath(env));
  if (env.KAFKA_BROKERS || databaseUrl) return { kind: 'here', env: { ...env, DATABASE_URL: databaseUrl } };
  return hasContainers() ? { kind: 'containers' } : undefined;
}

function databaseOf(dataDir: string): string | undefined {
  const secrets = join(dataDir, 'secrets.json');
  if (!existsSync(secrets)) return undefined;
  const { postgresPassword } = JSON.parse(readFileSync(secrets, 'utf8')) as Secrets;
  return runningPostgres({ dir: join(dataDir, 'postgres'), password: postgresPassword });
}

function hasContainers(): boolean {
  const { status, stdout } = spawnSync('docker', ['compose', 'ps', '--all', '--quiet'], { encoding: 'utf8' });
  return status === 0 && stdout.trim() !== '';
}

/** As findRunning; when nothing runs, says so and ends the process. */
export function requireRunning(env: Environment): Running {
  const running = findRunning(env);
  if (running) return running;
  process.stderr.write('Nothing is running here: npm start, or docker compose up.\n');
  process.exit(1);
}

/** Runs a script in a service's container. */
export const inContainer = (service: string, args: readonly string[], options: SpawnSyncOptions) =>
  spawnSync('docker', ['compose', 'exec', '--no-TTY', service, 'node', ...args], {
    encoding: 'utf8',
    // The default would cut the output at one megabyte.
    maxBuffer: Infinity,
    ...options,
  }) as SpawnSyncReturns<string>;
