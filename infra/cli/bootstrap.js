/**
 * First step of every npm script. Plain JavaScript without dependencies, because it runs on the machine's own Node
 * before anything is installed. It installs what is missing and continues in TypeScript on the project's Node.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { missingPackages } from './installed.js';
import { NODE_FLAGS, lowMemoryEnv } from './low-memory.js';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const OLDEST_NODE = 20;
const OWN_NODE = join(
  ROOT,
  'node_modules',
  'node',
  'bin',
  process.platform === 'win32' ? 'node.exe' : 'node',
);
/** Script and first arguments of each command. */
const COMMANDS = {
  start: 'infra/cli/start.ts',
  dev: 'infra/cli/dev.ts',
  test: 'infra/cli/test.ts',
  'test:full': 'infra/cli/test.ts full',
  reset: 'infra/cli/reset.ts',
  bench: 'e2e/bench/main.ts',
  reliability: 'e2e/reliability/main.ts',
  admin: 'infra/cli/operator.ts auth',
  reconcile: 'infra/cli/operator.ts payments',
  dlq: 'infra/cli/dlq.ts',
  audit: 'infra/cli/audit.ts',
  events: 'infra/cli/events/main.ts',
  follow: 'infra/cli/follow/main.ts',
  release: 'infra/cli/release/main.ts',
  backup: 'infra/cli/backup/main.ts backup',
  restore: 'infra/cli/backup/main.ts restore',
  doctor: 'infra/cli/doctor/main.ts',
  env: 'infra/docker/env.ts',
  images: 'infra/docker/images.ts',
  roll: 'infra/docker/roll.ts',
  mails: 'services/notifications/preview/main.ts',
  screens: 'e2e/screens/main.ts',
};

/** Benchmarks should not be disturbed by garbage collection of their own process. */
const MEASURING_FLAGS = [
  '--min-semi-space-size=64',
  '--max-semi-space-size=64',
  '--initial-old-space-size=1024',
];
/** Commands that need V8 flags start a new process, because memory settings are fixed at its start. */
const FLAGS = { start: NODE_FLAGS, bench: MEASURING_FLAGS };

const [command = 'start', ...rest] = process.argv.slice(2);
const [script, ...given] = COMMANDS[command]?.split(' ') ?? [];
const major = Number(process.versions.node.split('.')[0]);

if (!script) fail(`There is no command "${command}". There are: ${Object.keys(COMMANDS).join(', ')}.`);
if (major < OLDEST_NODE) {
  fail(
    `Arboleda needs Node ${OLDEST_NODE} or newer, and this is ${process.versions.node}. See https://nodejs.org`,
  );
}
if (command !== 'reset' || !existsSync(OWN_NODE)) install();
await hand(join(ROOT, script), [...given, ...rest]);

function install() {
  const missing = missingPackages(read('package-lock.json'), read('node_modules/.package-lock.json'));
  if (missing.length === 0) return;
  console.log(
    missing.length > 50 ? 'Installing what is missing …' : `Installing ${missing.length} changed packages …`,
  );
  const outcome = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: ROOT,
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: { ...process.env, PATH: withoutOwnNode(process.env.PATH ?? '') },
  });
  if (outcome.error?.code === 'ENOENT') fail('npm was not found: it comes with Node, see https://nodejs.org');
  if (outcome.status !== 0) fail('npm ci did not succeed: what it printed above says why.');
  if (!existsSync(OWN_NODE)) {
    fail('The project’s own Node is not there: npm was told not to run install scripts (ignore-scripts).');
  }
}

/** npm must not run on the Node that it is about to replace. */
function withoutOwnNode(path) {
  return path
    .split(delimiter)
    .filter((folder) => !folder.endsWith(join('node_modules', '.bin')) && !folder.startsWith(ROOT + sep))
    .join(delimiter);
}

/** Continues in this process when it runs on the project's Node, else in a child process. */
async function hand(file, args) {
  const flags = FLAGS[command] ?? [];
  const env = command === 'start' ? { ...lowMemoryEnv(ROOT), ...process.env } : { ...process.env };
  if (process.execPath === OWN_NODE) {
    // execve does not exist on Windows.
    if (flags.length > 0 && process.platform !== 'win32') {
      process.execve(OWN_NODE, [OWN_NODE, ...flags, file, ...args], env);
    }
    process.argv = [process.execPath, file, ...args];
    await import(pathToFileURL(file).href);
    return;
  }
  env.PATH = join(ROOT, 'node_modules', '.bin') + delimiter + process.env.PATH;
  const child = spawn(OWN_NODE, [...flags, file, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env,
  });
  // The terminal sends Ctrl-C to both processes; other signals reach only this one.
  process.on('SIGINT', () => undefined);
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

function read(path) {
  const file = join(ROOT, path);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
