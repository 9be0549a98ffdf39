/**
 * The first step of every npm script: plain JavaScript without dependencies, because it runs on the machine's own
 * Node before anything is installed. It installs what is missing and goes on in TypeScript on the Node that the
 * project brings along.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { missingPackages } from './installed.js';
import { NODE_FLAGS, thriftyEnvironment } from './thrift.js';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const OLDEST_NODE = 20;
const OWN_NODE = join(
  ROOT,
  'node_modules',
  'node',
  'bin',
  process.platform === 'win32' ? 'node.exe' : 'node',
);
const COMMANDS = {
  start: 'infra/local/start.ts',
  dev: 'infra/local/dev.ts',
  test: 'infra/local/test.ts',
  'test:full': 'infra/local/test.ts',
  'test:api-fuzz': 'e2e/api/fuzz/main.ts',
  reset: 'infra/local/reset.ts',
  bench: 'e2e/bench/main.ts',
  reliability: 'e2e/reliability/main.ts',
  admin: 'infra/local/admin.ts',
  reconcile: 'infra/local/reconcile.ts',
  dlq: 'infra/local/dlq.ts',
  backup: 'infra/local/backup/main.ts',
  restore: 'infra/local/backup/restore.ts',
  doctor: 'infra/local/doctor/main.ts',
  env: 'infra/docker/env.ts',
  images: 'infra/docker/images.ts',
  roll: 'infra/docker/roll.ts',
  mails: 'services/notifications/preview/main.ts',
  screens: 'e2e/screens/main.ts',
  security: 'e2e/security/main.ts',
};

/** Whoever measures shall not stop to collect garbage of its own: it would be found in what is measured. */
const MEASURING_FLAGS = [
  '--min-semi-space-size=64',
  '--max-semi-space-size=64',
  '--initial-old-space-size=1024',
];
/** Of commands that begin anew in their own process, as how memory is taken is settled at the very start. */
const FLAGS = { start: NODE_FLAGS, bench: MEASURING_FLAGS };

const [command = 'start', ...rest] = process.argv.slice(2);
const script = COMMANDS[command];
const major = Number(process.versions.node.split('.')[0]);

if (!script) fail(`There is no command "${command}". There are: ${Object.keys(COMMANDS).join(', ')}.`);
if (major < OLDEST_NODE) {
  fail(
    `Arboleda needs Node ${OLDEST_NODE} or newer, and this is ${process.versions.node}. See https://nodejs.org`,
  );
}
if (command !== 'reset' || !existsSync(OWN_NODE)) install();
await hand(join(ROOT, script), command === 'test:full' ? ['full', ...rest] : rest);

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

/** Goes on in this process when it is the project's own Node already, else in a child that lives and ends with it. */
async function hand(file, args) {
  const flags = FLAGS[command] ?? [];
  const env = command === 'start' ? { ...thriftyEnvironment(ROOT), ...process.env } : { ...process.env };
  if (process.execPath === OWN_NODE) {
    // There is no such thing on Windows.
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
  // A terminal sends Ctrl-C to both of us; other signals only reach this process.
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
