/** "npm run admin": creates admins and sets their passwords, in the running installation. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findCopy, NOTHING_RUNS } from './operator/copy.ts';

if (existsSync('.env')) process.loadEnvFile('.env');

const MAIN = 'services/auth/operator/main.ts';
const args = process.argv.slice(2);
const copy = findCopy(process.env);

if (copy?.kind === 'here') {
  process.exitCode =
    spawnSync(process.execPath, [MAIN, ...args], { env: copy.env, stdio: 'inherit' }).status ?? 1;
} else if (copy) {
  const command = ['compose', 'exec', '--no-TTY', 'auth', 'node', MAIN, ...args];
  process.exitCode = spawnSync('docker', command, { stdio: 'inherit' }).status ?? 1;
} else {
  process.stderr.write(NOTHING_RUNS);
  process.exitCode = 1;
}
