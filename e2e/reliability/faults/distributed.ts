import { startKafka } from '@arboleda/chassis/testing/containers/kafka.ts';
import { startMinio } from '@arboleda/chassis/testing/containers/minio.ts';
import { startMongo } from '@arboleda/chassis/testing/containers/mongodb.ts';
import { freePort } from '@arboleda/chassis/testing/free-port.ts';
import { openClient } from '@arboleda/contracts/client.ts';
import { serviceKeysIn } from '@arboleda/local/product/environment.ts';
import { chooseAddress, prepareLocal } from '@arboleda/local/local.ts';
import { buildWeb } from '@arboleda/local/product/web-build.ts';
import { silentProgress } from '@arboleda/local/terminal/progress.ts';
import { supervise } from '../crash/processes/supervisor.ts';
import { programsOf, urlOf } from '../crash/processes/tier.ts';
import type { Start, Started } from './world.ts';

/** Services as processes of their own, as containers run them, on Kafka, MongoDB and MinIO. Loaded only where containers are wanted. */
export async function startDistributed({ dataDir, env, lay, closers }: Start): Promise<Started> {
  const keep = <T extends { stop(): Promise<unknown> }>(one: T): T => {
    closers.push(() => one.stop());
    return one;
  };
  await buildWeb();
  // A broker sends its clients to the address it was given: that of the way.
  const port = await freePort();
  const toKafka = await lay(new URL(`tcp://127.0.0.1:${port}`));
  const { brokers } = keep(await startKafka({ port, reachedAt: toKafka.way.port }));
  const mongo = keep(await startMongo());
  const minio = keep(await startMinio());
  const toMongo = await lay(new URL(mongo.url));
  const toMinio = await lay(new URL(minio.endpoint));
  const given = {
    ...env,
    PORT: '0',
    DATA_DIR: dataDir,
    MONGODB_URL: toMongo.url,
    KAFKA_BROKERS: brokers.join(','),
    KAFKA_PARTITIONS: '3',
    S3_ENDPOINT: toMinio.url,
    S3_ACCESS_KEY: minio.accessKey,
    S3_SECRET_KEY: minio.secretKey,
  };
  const local = await prepareLocal(given, await chooseAddress(given), silentProgress);
  closers.push(local.close);
  keep(await supervise(programsOf(local.env), dataDir));
  return {
    product: {
      url: local.gatewayUrl,
      inboxUrl: '',
      demoPassword: local.demoPassword,
      serviceKeys: serviceKeysIn(local.env),
      stripeSecretKey: env.STRIPE_SECRET_KEY!,
      stripePublishableKey: env.STRIPE_PUBLISHABLE_KEY!,
      stripeWebhookSecret: env.STRIPE_WEBHOOK_SECRET!,
      stripeApiUrl: env.STRIPE_API_URL!,
      callAuth: openClient(urlOf(local.env, 'auth')),
    },
    ways: { Kafka: toKafka.way, MongoDB: toMongo.way, 'object store': toMinio.way },
  };
}
