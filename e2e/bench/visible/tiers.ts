import { openClient } from '@arboleda/contracts/client.ts';
import { supervise } from '../../reliability/crash/processes/supervisor.ts';
import { distributedTier, programsOf, urlOf } from '../../reliability/crash/processes/tier.ts';
import { openDataDir, type Running, startProduct } from '../../harness/product.ts';

/** A running tier whose mails go where they were told to. */
export interface MeasuredTier {
  name: string;
  product: Running;
  /** What its events travel on, for the floor. */
  databaseUrl: string;
  brokers?: string[];
  mongodbUrl?: string;
  close(): Promise<void>;
}

/** One process on PostgreSQL. */
export async function openEmbedded(env: Record<string, string>): Promise<MeasuredTier> {
  const data = await openDataDir();
  const product = await startProduct(data.path, env);
  return {
    name: 'embedded',
    product,
    databaseUrl: product.databaseUrl,
    async close() {
      await product.stop();
      await data.remove();
    },
  };
}

/**
 * A process for each service, on Kafka, MinIO and PostgreSQL.
 * @param documents what orders and assignments stand on: PostgreSQL says what Kafka takes, where no MongoDB is to be had
 */
export async function openDistributed(
  env: Record<string, string>,
  documents: 'MongoDB' | 'PostgreSQL',
): Promise<MeasuredTier> {
  const tier = await distributedTier(env);
  const isOnMongo = documents === 'MongoDB';
  const programs = isOnMongo ? tier.programs : programsOf({ ...tier.env, MONGODB_URL: undefined });
  const supervisor = await supervise(programs, tier.logDir);
  const given = (name: string) => tier.env[name]!;
  return {
    name: isOnMongo ? 'on Kafka' : 'on Kafka, documents on PostgreSQL',
    product: {
      ...{ url: tier.url, inboxUrl: '', demoPassword: tier.demoPassword },
      serviceSecret: given('SERVICE_SECRET'),
      stripeSecretKey: given('STRIPE_SECRET_KEY'),
      stripePublishableKey: given('STRIPE_PUBLISHABLE_KEY'),
      stripeWebhookSecret: given('STRIPE_WEBHOOK_SECRET'),
      stripeApiUrl: given('STRIPE_API_URL'),
      callAuth: openClient(urlOf(tier.env, 'auth')),
    },
    databaseUrl: given('DATABASE_URL'),
    brokers: given('KAFKA_BROKERS').split(','),
    ...(isOnMongo && { mongodbUrl: given('MONGODB_URL') }),
    async close() {
      await supervisor.stop();
      await tier.close();
    },
  };
}
