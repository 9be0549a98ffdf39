/** "npm run audit": verifies the audit logs of the running installation, also against the rows that its logs name. */
import { readArguments } from '@arboleda/chassis/audit/command.ts';
import { AUDITED_SERVICES } from '@arboleda/contracts/audit.ts';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { logFiles, logsOfContainers } from './logs.ts';
import { findRunning, NOTHING_RUNS } from './running.ts';

if (existsSync('.env')) process.loadEnvFile('.env');

const MAIN = 'infra/chassis/audit/main.ts';
/** A line of the process log: the last row of a service's audit log. */
const TOLD = /"audit":"([a-z]+:\d+:[0-9a-f]{64})"/g;
const args = process.argv.slice(2);

async function verify(): Promise<number> {
  try {
    readArguments(args);
  } catch (error) {
    process.stderr.write((error as Error).message);
    return 1;
  }
  const running = findRunning(process.env);
  if (!running) {
    process.stderr.write(NOTHING_RUNS);
    return 1;
  }
  // Rows on standard input come after those of the logs.
  const given = args.includes('-') ? readFileSync(0, 'utf8') : '';
  const more = [...args, ...(args.includes('-') ? [] : ['--expect', '-'])];
  if (running.kind === 'here') {
    const { status } = spawnSync(process.execPath, [MAIN, ...more], {
      env: running.env,
      input: `${toldIn(ownLogs()).join('\n')}\n${given}`,
      stdio: ['pipe', 'inherit', 'inherit'],
    });
    return status ?? 1;
  }
  const input = `${toldIn([await text(logsOfContainers(...AUDITED_SERVICES))]).join('\n')}\n${given}`;
  // Each service reaches only its own database, so each is asked.
  const failed = AUDITED_SERVICES.filter((service) => {
    const command = ['compose', 'exec', '--no-TTY', service, 'node', MAIN, ...more];
    return spawnSync('docker', command, { input, stdio: ['pipe', 'inherit', 'inherit'] }).status !== 0;
  });
  return failed.length > 0 ? 1 : 0;
}

function toldIn(logs: readonly string[]): string[] {
  return [...new Set(logs.flatMap((text) => [...text.matchAll(TOLD)].map((match) => match[1]!)))];
}

/** None when DATABASE_URL names a database that may be another than this folder's. */
const ownLogs = (): string[] =>
  process.env.DATABASE_URL ? [] : logFiles(process.env).map((file) => readFileSync(file, 'utf8'));

process.exitCode = await verify();
