import { createTemplate } from './database.ts';
import { startTestPostgres, type TestPostgres } from './postgres.ts';

declare global {
  var testPostgres: TestPostgres | undefined;
}

/** One PostgreSQL for a test run; TEST_DATABASE_URL names one that is there already. */
export default async function setUp(): Promise<void> {
  if (!process.env.TEST_DATABASE_URL) {
    globalThis.testPostgres = await startTestPostgres();
    process.env.TEST_DATABASE_URL = globalThis.testPostgres.url;
  }
  await createTemplate();
}
