/** "npm run admin" and "npm run reconcile": run a service's own command in the running installation. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { inContainer, requireRunning } from './running.ts';

if (existsSync('.env')) process.loadEnvFile('.env');

const [service = '', ...args] = process.argv.slice(2);
const command = [`services/${service}/operator/main.ts`, ...args];
const running = requireRunning(process.env);
const { status } =
  running.kind === 'here'
    ? spawnSync(process.execPath, command, { env: running.env, stdio: 'inherit' })
    : inContainer(service, command, { stdio: 'inherit' });
process.exitCode = status ?? 1;
