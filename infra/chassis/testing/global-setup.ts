import { createTemplate } from './database.ts';
import { startTestPostgres, type TestPostgres } from './postgres.ts';

declare global {
  var testPostgres: TestPostgres | undefined;
}

/** Starts one PostgreSQL for a test run, unless TEST_DATABASE_URL names one. */
export default async function setUp(): Promise<void> {
  if (!process.env.TEST_DATABASE_URL) {
    globalThis.testPostgres = await startTestPostgres();
    process.env.TEST_DATABASE_URL = globalThis.testPostgres.url;
  }
  await createTemplate();
}
