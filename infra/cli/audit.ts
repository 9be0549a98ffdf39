/** "npm run audit": verifies the audit logs of the running installation, also against the rows that its logs name. */
import { readArguments } from '@arboleda/chassis/audit/command.ts';
import { AUDITED_SERVICES } from '@arboleda/contracts/audit.ts';
import { spawnSync, type StdioOptions } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { logFiles, logsOfContainers } from './logs.ts';
import { inContainer, requireRunning } from './running.ts';

if (existsSync('.env')) process.loadEnvFile('.env');

const MAIN = 'infra/chassis/audit/main.ts';
/** A line of the process log names the last row of a service's audit log. */
const NAMED_ROW = /"audit":"([a-z]+:\d+:[0-9a-f]{64})"/g;
const args = process.argv.slice(2);
try {
  readArguments(args);
} catch (error) {
  process.stderr.write((error as Error).message);
  process.exit(1);
}
const running = requireRunning(process.env);
const logs = running.kind === 'here' ? ownLogs() : [await text(logsOfContainers(...AUDITED_SERVICES))];
const named = new Set(logs.flatMap((log) => [...log.matchAll(NAMED_ROW)].map((match) => match[1]!)));
// Rows on standard input come after those of the logs.
const given = args.includes('-') ? readFileSync(0, 'utf8') : '';
const command = [MAIN, ...args, ...(args.includes('-') ? [] : ['--expect', '-'])];
const stdio: StdioOptions = ['pipe', 'inherit', 'inherit'];
const options = { input: `${[...named].join('\n')}\n${given}`, stdio };
const codes =
  running.kind === 'here'
    ? [spawnSync(process.execPath, command, { ...options, env: running.env }).status]
    : // Each service reaches only its own database, so each is asked.
      AUDITED_SERVICES.map((service) => inContainer(service, command, options).status);
process.exitCode = codes.every((code) => code === 0) ? 0 : 1;

/** None when DATABASE_URL names a database that may be another than this folder's. */
function ownLogs(): string[] {
  return process.env.DATABASE_URL ? [] : logFiles(process.env).map((file) => readFileSync(file, 'utf8'));
}
