import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Logger } from '../log.ts';
import type { PlatformConfig } from '../platform-config.ts';
import { openPlatform } from '../platform.ts';
import type { Platform } from '../ports/platform.ts';
import type { EngineOptions } from '../adapters/postgres/engine.ts';
import { createTestDatabase, type Template } from './database.ts';

export interface TestPlatform extends Platform {
  databaseUrl: string;
}

export interface TestPlatformOptions extends EngineOptions {
  /** An existing database, for a second process on the same engines. `close` does not drop it. */
  databaseUrl?: string;
  /** Template of the database. */
  template?: Template;
  smtpUrl?: string;
  /** Uses PostgreSQL only, even if the run has other engines. */
  onPostgres?: boolean;
  logger?: Logger;
}

/** Shorter than in production, so that retries do not slow tests down. */
const JOB_POLL_MS = 100;

/**
 * A platform on a new database of a real PostgreSQL, which `close` drops. Documents and objects are on MongoDB and
 * MinIO if the run has them (TEST_MONGODB_URL, TEST_S3).
 */
export async function openTestPlatform(options: TestPlatformOptions = {}): Promise<TestPlatform> {
  const database = options.databaseUrl ? undefined : await createTestDatabase(options.template);
  const databaseUrl = options.databaseUrl ?? database!.url;
  const objectsDir = await mkdtemp(join(tmpdir(), 'arboleda-test-objects-'));
  const name = new URL(databaseUrl).pathname.slice(1);
  const { TEST_MONGODB_URL: mongodbUrl, TEST_S3: s3 } = options.onPostgres ? {} : process.env;
  const config: PlatformConfig = {
    databaseUrl,
    ...(mongodbUrl && { mongodbUrl: new URL(`/${name}`, mongodbUrl).href }),
    ...(s3 && { s3: { ...JSON.parse(s3), bucketPrefix: `${name.replaceAll('_', '-')}-` } }),
    objectsDir,
    smtpUrl: options.smtpUrl ?? 'smtp://127.0.0.1:1',
    mailFrom: 'Arboleda <hola@arboleda.test>',
  };
  const logger = options.logger ?? pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' });
  const platform = await openPlatform(config, logger, { jobPollMs: JOB_POLL_MS, ...options });
  return {
    ...platform,
    databaseUrl,
    async close() {
      await platform.close();
      await database?.drop();
      await rm(objectsDir, { recursive: true, force: true });
    },
  };
}
