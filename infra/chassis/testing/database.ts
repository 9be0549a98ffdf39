import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { pino } from 'pino';
import { openPlatform } from '../platform.ts';

/** A database of one test's own. */
export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

const TEMPLATE = 'arboleda_template';

/** A fresh database in which the chassis has already made its own tables. */
export async function createTestDatabase(): Promise<TestDatabase> {
  return createDatabase(`template ${TEMPLATE}`);
}

/** @param how the rest of the CREATE DATABASE statement, e.g. a locale */
export async function createDatabase(how: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await asAdmin((admin) => admin.query(`create database ${name} ${how}`));
  return {
    url: urlOf(name),
    drop: () => asAdmin((admin) => admin.query(`drop database if exists ${name} with (force)`)),
  };
}

/** Made once per test run, so that a test's database is a copy. */
export async function createTemplate(): Promise<void> {
  await asAdmin(async (admin) => {
    await admin.query(`drop database if exists ${TEMPLATE}`);
    await admin.query(`create database ${TEMPLATE}`);
  });
  const config = { databaseUrl: urlOf(TEMPLATE), objectsDir: '', smtpUrl: '', mailFrom: '' };
  const platform = await openPlatform(config, pino({ level: 'silent' }));
  await platform.close();
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
