import { startMinio } from './containers/minio.ts';
import { startMongo } from './containers/mongodb.ts';
import setUpPostgres from './global-setup.ts';

declare global {
  var testContainers: { stop(): Promise<void> }[] | undefined;
}

/** MongoDB and MinIO for a test run, beside the PostgreSQL on which its events go. */
export default async function setUp(): Promise<void> {
  await setUpPostgres();
  const [mongodb, minio] = await Promise.all([startMongo(), startMinio()]);
  globalThis.testContainers = [mongodb, minio];
  process.env.TEST_MONGODB_URL = mongodb.url;
  process.env.TEST_S3 = JSON.stringify({
    endpoint: minio.endpoint,
    accessKey: minio.accessKey,
    secretKey: minio.secretKey,
    region: minio.region,
  });
}
