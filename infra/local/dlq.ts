/** "npm run dlq": dead letters of whichever copy is running here, of what the environment names first of all. */
import { SERVICES } from '@arboleda/contracts/services.ts';
import { runningPostgres } from '@arboleda/postgres/postgres.ts';
import type { Letter } from '@arboleda/chassis/dead-letters/dead-letters.ts';
import { readArguments, table } from '@arboleda/chassis/dead-letters/command.ts';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataDirPath } from './data-dir/data-dir.ts';
import type { Secrets } from './product/secrets.ts';

if (existsSync('.env')) process.loadEnvFile('.env');

const MAIN = 'infra/chassis/dead-letters/main.ts';
const args = process.argv.slice(2);
const asked = understood();

const databaseUrl = process.env.DATABASE_URL || ofDataDir(dataDirPath(process.env));
if (process.env.KAFKA_BROKERS || databaseUrl) {
  const env = { ...process.env, DATABASE_URL: databaseUrl };
  process.exitCode = spawnSync(process.execPath, [MAIN, ...args], { env, stdio: 'inherit' }).status ?? 1;
} else if (containersRun()) {
  process.exitCode = asked.command === 'list' ? listInContainers() : replayInContainers();
} else {
  process.stderr.write('Nothing is running here: npm start, or docker compose up.\n');
  process.exitCode = 1;
}

function understood() {
  try {
    return readArguments(args);
  } catch (error) {
    process.stderr.write((error as Error).message);
    process.exit(1);
  }
}

function ofDataDir(dataDir: string): string | undefined {
  const secrets = join(dataDir, 'secrets.json');
  if (!existsSync(secrets)) return undefined;
  const { postgresPassword } = JSON.parse(readFileSync(secrets, 'utf8')) as Secrets;
  return runningPostgres({ dir: join(dataDir, 'postgres'), password: postgresPassword });
}

function containersRun(): boolean {
  const { status, stdout } = spawnSync('docker', ['compose', 'ps', '--quiet', 'orders'], {
    encoding: 'utf8',
  });
  return status === 0 && stdout.trim() !== '';
}

/** Each service reaches only its own database, so each is asked. */
function inContainer(service: string, ...rest: string[]) {
  const command = ['compose', 'exec', '--no-TTY', service, 'node', MAIN, ...rest];
  return spawnSync('docker', command, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

function listInContainers(): number {
  const owner = asked.owner === undefined ? [] : ['--owner', asked.owner];
  const answers = SERVICES.map((service) => inContainer(service, 'list', '--json', ...owner));
  const letters = new Map<string, Letter>();
  for (const { status, stdout } of answers) {
    if (status !== 0) continue;
    // All of them see the events of all.
    for (const letter of JSON.parse(stdout) as Letter[]) letters.set(letter.id, letter);
  }
  const found = [...letters.values()].sort((a, b) => a.failedAt.localeCompare(b.failedAt));
  const text = found.length > 0 ? table(found) : 'There are no dead letters.';
  process.stdout.write(`${asked.json ? JSON.stringify(found) : text}\n`);
  return answers.every(({ status }) => status === 0) ? 0 : 1;
}

function replayInContainers(): number {
  let waiting = asked.all ? allIds() : asked.ids;
  for (const service of SERVICES) {
    if (waiting.length === 0) break;
    const { stdout } = inContainer(service, 'replay', ...waiting);
    const replayed = waiting.filter((id) => stdout.includes(`${id} is on its way again.`));
    for (const id of replayed) process.stdout.write(`${id} is on its way again.\n`);
    waiting = waiting.filter((id) => !replayed.includes(id));
  }
  for (const id of waiting) process.stdout.write(`${id} is not there.\n`);
  return waiting.length === 0 ? 0 : 1;
}

function allIds(): string[] {
  return SERVICES.flatMap((service) => {
    const owner = asked.owner === undefined ? [] : ['--owner', asked.owner];
    const { status, stdout } = inContainer(service, 'list', '--json', ...owner);
    return status === 0 ? (JSON.parse(stdout) as Letter[]).map(({ id }) => id) : [];
  }).filter((id, at, all) => all.indexOf(id) === at);
}
