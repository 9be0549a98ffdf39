import type { ServiceName } from '@arboleda/contracts/services.ts';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { pino } from 'pino';
import { openPlatform } from '../platform.ts';
import type { Platform } from '../ports/platform.ts';

/** A database for one test. */
export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/** A database that test databases are copied from, with the tables of the chassis and of a service. */
export interface Template {
  name: string;
  /** Runs once per test run. */
  prepare(platform: Platform): Promise<void>;
}

const TEMPLATE = 'arboleda_template';

/** A new database with the tables of the chassis, and those of a service if a template is given. */
export async function createTestDatabase(template?: Template): Promise<TestDatabase> {
  const name = template ? await preparedTemplate(template) : TEMPLATE;
  // Copying files is a quarter cheaper than logging pages.
  return createDatabase(`template ${name} strategy file_copy`);
}

/** @param migrations of the service of that name */
export const migratedTemplate = (name: ServiceName, migrations: URL): Template => ({
  name,
  prepare: async (platform) => (await platform.sql(name, migrations)).close(),
});

/** @param how the rest of the CREATE DATABASE statement, e.g. a locale */
async function createDatabase(how: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await asAdmin((admin) => admin.query(`create database ${name} ${how}`));
  return {
    url: urlOf(name),
    drop: () => asAdmin((admin) => admin.query(`drop database if exists ${name} with (force)`)),
  };
}

/** Created once per test run; a test's database is a copy. */
export async function createTemplate(): Promise<void> {
  await asAdmin(async (admin) => {
    await admin.query(`drop database if exists ${TEMPLATE}`);
    await admin.query(`create database ${TEMPLATE}`);
  });
  await prepare(TEMPLATE, async () => undefined);
}

/** Creates the template unless another worker has; it is renamed when it is complete. @returns its name */
async function preparedTemplate({ name, prepare: run }: Template): Promise<string> {
  const database = `${TEMPLATE}_${name}`;
  await asAdmin(async (admin) => {
    const exists = async () =>
      (await admin.query('select from pg_database where datname = $1', [database])).rowCount === 1;
    if (await exists()) return;
    await admin.query('select pg_advisory_lock(hashtext($1))', [database]);
    if (await exists()) return;
    const draft = `${database}_draft`;
    await admin.query(`drop database if exists ${draft} with (force)`);
    await admin.query(`create database ${draft} template ${TEMPLATE}`);
    await prepare(draft, run);
    await admin.query(`alter database ${draft} rename to ${database}`);
  });
  return database;
}

async function prepare(database: string, run: Template['prepare']): Promise<void> {
  const config = { databaseUrl: urlOf(database), objectsDir: '', smtpUrl: '', mailFrom: '' };
  const platform = await openPlatform(config, pino({ level: 'silent' }));
  try {
    await run(platform);
  } finally {
    await platform.close();
  }
}

async function asAdmin(run: (admin: pg.Client) => Promise<unknown>): Promise<void> {
  const admin = new pg.Client({ connectionString: serverUrl() });
  await admin.connect();
  try {
    await run(admin);
  } finally {
    await admin.end();
  }
}

function serverUrl(): string {
  const url = process.env.TEST_DATABASE_URL;
  if (!url) throw new Error('TEST_DATABASE_URL is not set: run tests of the project "component"');
  return url;
}

function urlOf(database: string): string {
  const url = new URL(serverUrl());
  url.pathname = `/${database}`;
  return url.href;
}
