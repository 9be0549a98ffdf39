import { startMinio } from './containers/minio.ts';
import { startMongo } from './containers/mongodb.ts';
import { startPostgresContainer } from './containers/postgres.ts';
import { createTemplate } from './database.ts';

declare global {
  var testContainers: { stop(): Promise<void> }[] | undefined;
}

/** Starts PostgreSQL, MongoDB and MinIO in containers for a test run. */
export default async function setUp(): Promise<void> {
  const [postgres, mongodb, minio] = await Promise.all([
    startPostgresContainer(),
    startMongo(),
    startMinio(),
  ]);
  globalThis.testContainers = [postgres, mongodb, minio];
  process.env.TEST_DATABASE_URL = postgres.url;
  await createTemplate();
  process.env.TEST_MONGODB_URL = mongodb.url;
  process.env.TEST_S3 = JSON.stringify({
    endpoint: minio.endpoint,
    accessKey: minio.accessKey,
    secretKey: minio.secretKey,
    region: minio.region,
  });
}
