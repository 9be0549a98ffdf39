/** "npm run doctor": checks the installation that is here, running or not, and prints a sentence per finding. */
import type { Environment } from '@arboleda/chassis/environment.ts';
import { existsSync } from 'node:fs';
import { dataDirPath, holderOf } from '../embedded/data-dir.ts';
import { checkPort } from '../embedded/ports.ts';
import { findRunning } from '../running.ts';
import { runCommand } from '../terminal/command.ts';
import { join } from 'node:path';
import { agreementFindings } from './agreement.ts';
import { containerFindings } from './containers.ts';
import { databaseFindings } from './database.ts';
import { lastBackup } from './last-backup.ts';
import { readLastBackup } from './read-last-backup.ts';
import {
  certificateFindings,
  envFileFindings,
  type Finding,
  folderFindings,
  mailFindings,
  settingFindings,
  stripeFindings,
} from './settings.ts';
import { runningVersionFindings, versionLine } from './versions.ts';

const { env } = process;

const CHECKED = {
  containers: 'Checked docker compose: its containers, their metrics, the settings.',
  here: 'Checked the running installation: its folder, its database, the settings.',
  nothing: 'Nothing is running, so only the folder and the settings were checked.',
};

await runCommand(async () => {
  const running = findRunning(env);
  const dataDir = dataDirPath(env);
  const row = running && (await readLastBackup(running));
  const backup = row === undefined ? undefined : await lastBackup(row);
  const all = [
    ...(await envFileFindings('.env')),
    ...settingFindings(env),
    ...(await mailFindings(env.SMTP_URL)),
    ...(await stripeFindings(env)),
    ...(await certificateFindings(env.SITE_URL)),
    ...(running?.kind === 'containers' ? await containerFindings() : await here(dataDir, running?.env)),
    ...(backup?.findings ?? []),
  ];
  // Services with databases of one age say the same.
  const findings = [...new Set(all)];
  console.log(versionLine(running?.kind === 'containers' ? undefined : dataDir));
  if (backup) console.log(backup.line);
  for (const finding of findings) console.log(`✗ ${finding}`);
  console.log(CHECKED[running?.kind ?? 'nothing']);
  console.log(findings.length === 0 ? 'Nothing is wrong.' : `${findings.length} to fix.`);
  return findings.length === 0 ? 0 : 1;
});

/** Checks `npm start`, or a database that the environment names. */
async function here(dataDir: string, running: Environment | undefined): Promise<Finding[]> {
  const folder =
    env.DATABASE_URL && !existsSync(dataDir) ? [] : await folderFindings(dataDir, undefined, env);
  return [
    ...folder,
    ...(await portFindings(dataDir)),
    ...(running?.DATABASE_URL ? await databaseFindings(running.DATABASE_URL, { env }) : []),
    ...(running?.DATABASE_URL ? await agreementFindings(running.DATABASE_URL, dataDir) : []),
  ];
}

/** A running installation answers at its port; otherwise the port should be free. */
async function portFindings(dataDir: string): Promise<Finding[]> {
  const port = Number(env.PORT || 8080);
  if (port === 0) return [];
  if (holderOf(join(dataDir, 'running.lock')) === undefined) {
    return checkPort(port, env.HOST || '127.0.0.1').then(
      () => [],
      (error: Error) => [error.message],
    );
  }
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(5_000) }).catch(
    () => undefined,
  );
  if (!answer)
    return [
      `Arboleda runs but does not answer at port ${port}: check PORT, and ${join(dataDir, 'logs/arboleda.log')}.`,
    ];
  const running = await fetch(`http://127.0.0.1:${port}/api/version`, { signal: AbortSignal.timeout(5_000) })
    .then((told) => told.text())
    .catch(() => '');
  const older = runningVersionFindings(running);
  if (older.length > 0) return older;
  return answer.ok ? [] : [`The site is not ready: http://127.0.0.1:${port}/readyz says what it waits for.`];
}
