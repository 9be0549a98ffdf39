/**
 * "npm run audit": verifies the audit logs of the running installation, also against the rows that its logs and its last
 * backup name.
 */
import { readArguments } from '@arboleda/chassis/audit/command.ts';
import { AUDITED_SERVICES } from '@arboleda/contracts/audit.ts';
import type { StdioOptions } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { readManifest } from './backup/files.ts';
import { readLastBackup } from './doctor/read-last-backup.ts';
import { logFiles, logsOfContainers } from './logs.ts';
import { requireRunning, type Running, runScript } from './running.ts';
import { orUsage, runCommand } from './terminal/command.ts';

const MAIN = 'infra/chassis/audit/main.ts';
/** A line of the process log names the last row of a service's audit log. */
const NAMED_ROW = /"audit":"([a-z]+:\d+:[0-9a-f]{64})"/g;

await runCommand(async () => {
  const args = process.argv.slice(2);
  orUsage(() => readArguments(args));
  const running = requireRunning(process.env);
  const isHere = running.kind === 'here';
  const logs = isHere ? ownLogs() : [await text(logsOfContainers(...AUDITED_SERVICES))];
  const named = new Set(logs.flatMap((log) => [...log.matchAll(NAMED_ROW)].map((match) => match[1]!)));
  for (const row of await rowsOfBackup(running)) named.add(row);
  // Rows on standard input come after those of the logs.
  const given = args.includes('-') ? readFileSync(0, 'utf8') : '';
  const script = [MAIN, ...args, ...(args.includes('-') ? [] : ['--expect', '-'])];
  const stdio: StdioOptions = ['pipe', 'inherit', 'inherit'];
  const verify = (service: string) =>
    runScript(running, service, script, { input: `${[...named].join('\n')}\n${given}`, stdio }).status;
  // In containers each service reaches only its own database, so each is asked.
  const codes = isHere ? [verify('')] : AUDITED_SERVICES.map(verify);
  return codes.every((code) => code === 0) ? 0 : 1;
});

/** Those that the last backup names; none when it is not on this machine. */
async function rowsOfBackup(running: Running): Promise<string[]> {
  const folder = (await readLastBackup(running))?.folder;
  if (!folder || !existsSync(folder)) return [];
  return readManifest(folder).then(
    ({ auditHeads }) => auditHeads,
    () => [],
  );
}

/** None when DATABASE_URL names a database that may be another than this folder's. */
function ownLogs(): string[] {
  return process.env.DATABASE_URL ? [] : logFiles(process.env).map((file) => readFileSync(file, 'utf8'));
}
