import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { copyTree, sumOf, type Tree } from './tree.ts';

/** https://www.postgresql.org/docs/current/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP-DATA */
const OF_THE_RUNNING = /^(postmaster\.(pid|opts)|(.*\/)?(pgsql_tmp|pg_internal\.init).*)$/;
const EMPTIED = /^(pg_dynshmem|pg_notify|pg_replslot|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\//;

const isKept = (path: string): boolean => !OF_THE_RUNNING.test(path) && !EMPTIED.test(path);

/** Copies the files of a stopped server; after a crash, the copy recovers as the original would. */
export const copyStopped = (from: string, to: string): Promise<Tree> => copyTree(from, to, isKept);

/**
 * Copies a running server's files while they change, with the log since the start of the copy. The copy recovers the
 * instant of its end, the same for all schemas.
 */
export async function copyRunning(databaseUrl: string, from: string, to: string): Promise<Tree> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('set statement_timeout = 0');
    // Keeps the log from here on; ends with this session.
    await client.query(`select pg_create_physical_replication_slot('arboleda_backup', true, true)`);
    await client.query(`select pg_backup_start('arboleda', true)`);
    const files = await copyTree(from, to, (path) => isKept(path) && !path.startsWith('pg_wal/'));
    const { rows } = await client.query<{ labelfile: string }>(
      'select labelfile from pg_backup_stop(wait_for_archive => false)',
    );
    const label = join(to, 'backup_label');
    await writeFile(label, rows[0]!.labelfile, { mode: 0o600 });
    const wal = await copyTree(join(from, 'pg_wal'), join(to, 'pg_wal'));
    return {
      folders: [...files.folders, ...wal.folders.map((folder) => `pg_wal/${folder}`)],
      files: [
        ...files.files.filter(({ path }) => path !== 'backup_label'),
        ...wal.files.map((file) => ({ ...file, path: `pg_wal/${file.path}` })),
        { path: 'backup_label', ...(await sumOf(label)) },
      ],
    };
  } finally {
    await client.end();
  }
}
