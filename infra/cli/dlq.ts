/** "npm run dlq": manages dead letters of the running installation, or of the one that the environment names. */
import { SERVICES } from '@arboleda/contracts/services.ts';
import {
  DONE,
  type Letter,
  NONE,
  readArguments,
  table,
  type Verb,
} from '@arboleda/chassis/dead-letters/dead-letters.ts';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findRunning, NOTHING_RUNS } from './running.ts';

if (existsSync('.env')) process.loadEnvFile('.env');

const MAIN = 'infra/chassis/dead-letters/main.ts';
const args = process.argv.slice(2);
const asked = understood();

const running = findRunning(process.env);
if (running?.kind === 'here') {
  process.exitCode =
    spawnSync(process.execPath, [MAIN, ...args], { env: running.env, stdio: 'inherit' }).status ?? 1;
} else if (running) {
  process.exitCode = asked.command === 'list' ? listInContainers() : actInContainers(asked.command);
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
    // The default would cut the output at one megabyte.
    maxBuffer: Infinity,
  });
}

function listInContainers(): number {
  const { letters, silent } = lettersInContainers();
  // Whether there are none is unknown while a service is unreachable.
  if (asked.json) process.stdout.write(`${JSON.stringify(letters)}\n`);
  else if (letters.length > 0) process.stdout.write(`${table(letters)}\n`);
  else if (silent.length === 0) process.stdout.write(`${NONE}\n`);
  return complain(silent);
}

function actInContainers(verb: Verb): number {
  const { letters, silent } = asked.all ? lettersInContainers() : { letters: [], silent: [] };
  let waiting = asked.all ? letters.map(({ id }) => id) : asked.ids;
  if (waiting.length === 0 && silent.length === 0) process.stdout.write(`${NONE}\n`);
  for (const service of SERVICES) {
    if (waiting.length === 0) break;
    const { stdout } = inContainer(service, verb, ...waiting);
    const done = waiting.filter((id) => stdout.includes(DONE[verb](id)));
    for (const id of done) process.stdout.write(`${DONE[verb](id)}\n`);
    waiting = waiting.filter((id) => !done.includes(id));
  }
  for (const id of waiting) process.stdout.write(`${id} is not there, or its service could not be asked.\n`);
  return Math.max(complain(silent), waiting.length === 0 ? 0 : 1);
}

/** Oldest first. */
function lettersInContainers(): { letters: Letter[]; silent: string[] } {
  const owner = asked.owner === undefined ? [] : ['--owner', asked.owner];
  const letters = new Map<string, Letter>();
  const silent: string[] = [];
  for (const service of SERVICES) {
    const { status, stdout } = inContainer(service, 'list', '--json', ...owner);
    if (status !== 0) silent.push(service);
    // Every service lists the events of all.
    else for (const letter of JSON.parse(stdout) as Letter[]) letters.set(letter.id, letter);
  }
  return { letters: [...letters.values()].sort((a, b) => a.failedAt.localeCompare(b.failedAt)), silent };
}

/** @returns the exit code */
function complain(silent: readonly string[]): number {
  if (silent.length === 0) return 0;
  process.stderr.write(
    `${silent.join(', ')} could not be asked: there may be more dead letters. npm run doctor says what is wrong.\n`,
  );
  return 1;
}
