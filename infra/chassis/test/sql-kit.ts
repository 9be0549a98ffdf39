import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pino } from 'pino';
import { openSql } from '../adapters/postgres/sql/sql.ts';
import { type Outlet, recordingOutlet } from '../conformance/documents-kit.ts';
import type { Sql } from '../ports/sql.ts';
import { createTestDatabase } from '../testing/database.ts';

export const accounts = {
  '001_accounts.sql': 'create table accounts (name text primary key, balance int not null);',
};

/** A database, and what is opened on it until it is closed. */
export async function openSqlDesk() {
  const database = await createTestDatabase();
  const folders: string[] = [];
  const opened: Sql[] = [];
  return {
    /** A folder of migrations. */
    async aFolder(files: Record<string, string>): Promise<URL> {
      const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
      folders.push(folder);
      for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
      return pathToFileURL(`${folder}/`);
    },
    async open(
      service: string,
      migrations: URL,
      {
        outlet = recordingOutlet().outlet,
        keepsCauses = true,
      }: { outlet?: Outlet; keepsCauses?: boolean } = {},
    ): Promise<Sql> {
      const sql = await openSql({
        ...outlet,
        databaseUrl: database.url,
        service,
        migrations,
        logger: pino({ level: 'silent' }),
        graceMs: 200,
        keepsCauses,
      });
      opened.push(sql);
      return sql;
    },
    async close(): Promise<void> {
      for (const sql of opened) await sql.close();
      await database.drop();
      for (const folder of folders) await rm(folder, { recursive: true });
    },
  };
}
export type SqlDesk = Awaited<ReturnType<typeof openSqlDesk>>;
