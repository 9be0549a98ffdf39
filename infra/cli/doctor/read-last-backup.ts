import { openCompose } from '../compose.ts';
import type { Running } from '../running.ts';
import { toDatabase } from './database.ts';
import { type BackupRow, LAST_BACKUP } from './last-backup.ts';

/** The last recorded backup, or null; undefined when the database does not answer, which other findings explain. */
export const readLastBackup = (running: Running): Promise<BackupRow | null | undefined> =>
  running.kind === 'containers' ? ofContainers() : ofDatabase(running.env.DATABASE_URL ?? '');

async function ofDatabase(databaseUrl: string): Promise<BackupRow | null | undefined> {
  const client = toDatabase(databaseUrl);
  try {
    await client.connect();
    return (await client.query<BackupRow>(LAST_BACKUP)).rows[0] ?? null;
  } catch {
    return undefined;
  } finally {
    await client.end();
  }
}

const ASK_WITHIN_MS = 20_000;

/** The same in all databases. */
async function ofContainers(): Promise<BackupRow | null | undefined> {
  const psql = 'exec --no-TTY postgres psql --username postgres --no-psqlrc --quiet --tuples-only --no-align';
  const asked = [...psql.split(' '), '--dbname', 'orders'];
  const row = await openCompose({}, { timeoutMs: ASK_WITHIN_MS })
    .run(asked, `select row_to_json(last) from (${LAST_BACKUP}) as last;`)
    .catch(() => undefined);
  if (row === undefined) return undefined;
  return row.trim() === '' ? null : (JSON.parse(row) as BackupRow);
}
