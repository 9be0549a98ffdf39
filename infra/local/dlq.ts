/** "npm run dlq": dead letters of whichever copy is running here, of what the environment names first of all. */
import { SERVICES } from '@arboleda/contracts/services.ts';
import type { Letter } from '@arboleda/chassis/dead-letters/dead-letters.ts';
import { readArguments, table } from '@arboleda/chassis/dead-letters/command.ts';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findCopy, NOTHING_RUNS } from './operator/copy.ts';

if (existsSync('.env')) process.loadEnvFile('.env');

const MAIN = 'infra/chassis/dead-letters/main.ts';
const args = process.argv.slice(2);
const asked = understood();

const copy = findCopy(process.env);
if (copy?.kind === 'here') {
  process.exitCode =
    spawnSync(process.execPath, [MAIN, ...args], { env: copy.env, stdio: 'inherit' }).status ?? 1;
} else if (copy) {
  process.exitCode = asked.command === 'list' ? listInContainers() : replayInContainers();
} else {
  process.stderr.write(NOTHING_RUNS);
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

/** Each service reaches only its own database, so each is asked. */
function inContainer(service: string, ...rest: string[]) {
  const command = ['compose', 'exec', '--no-TTY', service, 'node', MAIN, ...rest];
  return spawnSync('docker', command, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    // By default all beyond a megabyte is thrown away.
    maxBuffer: Infinity,
  });
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
