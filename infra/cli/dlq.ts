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
import { inContainer, requireRunning } from './running.ts';

if (existsSync('.env')) process.loadEnvFile('.env');

const MAIN = 'infra/chassis/dead-letters/main.ts';
const args = process.argv.slice(2);
const asked = understood();

const running = requireRunning(process.env);
if (running.kind === 'here') {
  process.exitCode =
    spawnSync(process.execPath, [MAIN, ...args], { env: running.env, stdio: 'inherit' }).status ?? 1;
} else {
  process.exitCode = asked.command === 'list' ? listInContainers() : actInContainers(asked.command);
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
function ask(service: string, ...rest: string[]) {
  return inContainer(service, [MAIN, ...rest], { stdio: ['ignore', 'pipe', 'inherit'] });
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
    const { stdout } = ask(service, verb, ...waiting);
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
    const { status, stdout } = ask(service, 'list', '--json', ...owner);
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
