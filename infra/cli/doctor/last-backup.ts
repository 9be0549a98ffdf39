import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DATA, readManifest } from '../backup/files.ts';
import type { Finding } from './settings.ts';

/** A row of chassis.backups; version and folder are unknown of backups that an operator records. */
export interface BackupRow {
  /** ISO 8601. */
  madeAt: string;
  version: string | null;
  folder: string | null;
}

export const LAST_BACKUP = `select to_char(made_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "madeAt", version, folder
  from chassis.backups order by made_at desc limit 1`;

/** Doctor's words about the last backup: a line, and a finding when it is here and cannot be restored. */
export async function lastBackup(row: BackupRow | null): Promise<{ line: string; findings: Finding[] }> {
  if (!row) return { line: 'Last backup: none was made.', findings: [] };
  const { madeAt, version, folder } = row;
  const line = [`Last backup: ${madeAt}`, version && `by version ${version}`, folder && `in ${folder}`]
    .filter(Boolean)
    .join(', ');
  if (folder === null) return { line: `${line}, made by other means.`, findings: [] };
  if (!existsSync(folder)) return { line: `${line}, which is not on this machine.`, findings: [] };
  const fault = await restoreFault(folder);
  return fault === undefined
    ? { line: `${line}. It can be restored here.`, findings: [] }
    : { line: `${line}.`, findings: [`The last backup cannot be restored here: ${fault}`] };
}

/** Whether a backup is whole, as far as sizes tell, and not of a newer version. */
async function restoreFault(folder: string): Promise<string | undefined> {
  try {
    const { files } = await readManifest(folder);
    for (const { path, sizeBytes } of files) {
      const found = await stat(join(folder, DATA, path)).catch(() => undefined);
      if (!found) return `${path} is missing in ${folder}.`;
      if (found.size !== sizeBytes) return `${path} in ${folder} is not as it was written.`;
    }
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
