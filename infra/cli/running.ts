import type { Environment } from '@arboleda/chassis/environment.ts';
import { runningPostgres } from '@arboleda/postgres/postgres.ts';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataDirPath } from './embedded/data-dir.ts';
import type { Secrets } from './embedded/secrets.ts';

/** The installation that a command is about: reached by an environment, or in docker compose containers. */
export type Running = { kind: 'here'; env: Environment } | { kind: 'containers' };

export const NOTHING_RUNS = 'Nothing is running here: npm start, or docker compose up.\n';

/**
 * Prefers what the environment names, then a running `npm start`, then containers. @returns undefined when there is
 * none
 */
export function findRunning(env: Environment): Running | undefined {
  const databaseUrl = env.DATABASE_URL || databaseOf(dataDirPath(env));
  if (env.KAFKA_BROKERS || databaseUrl) return { kind: 'here', env: { ...env, DATABASE_URL: databaseUrl } };
  return containersRun() ? { kind: 'containers' } : undefined;
}

function databaseOf(dataDir: string): string | undefined {
  const secrets = join(dataDir, 'secrets.json');
  if (!existsSync(secrets)) return undefined;
  const { postgresPassword } = JSON.parse(readFileSync(secrets, 'utf8')) as Secrets;
  return runningPostgres({ dir: join(dataDir, 'postgres'), password: postgresPassword });
}

function containersRun(): boolean {
  const { status, stdout } = spawnSync('docker', ['compose', 'ps', '--all', '--quiet'], { encoding: 'utf8' });
  return status === 0 && stdout.trim() !== '';
}

/**
 * Runs a service's operator command in the running installation, and takes over its exit code.
 * @param main the command's file, such as services/auth/operator/main.ts
 */
export function runOperator(service: string, main: string): void {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const args = process.argv.slice(2);
  const running = findRunning(process.env);
  if (running === undefined) {
    process.stderr.write(NOTHING_RUNS);
    process.exitCode = 1;
    return;
  }
  const { status } =
    running.kind === 'here'
      ? spawnSync(process.execPath, [main, ...args], { env: running.env, stdio: 'inherit' })
      : spawnSync('docker', ['compose', 'exec', '--no-TTY', service, 'node', main, ...args], {
          stdio: 'inherit',
        });
  process.exitCode = status ?? 1;
}
