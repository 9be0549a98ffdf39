import { openClient } from '@arboleda/contracts/client.ts';
import { serviceKeysIn } from '@arboleda/cli/embedded/environment.ts';
import { supervise } from '../../reliability/crash/processes/supervisor.ts';
import { distributedTier, urlOf } from '../../reliability/crash/processes/tier.ts';
import { openDataDir, type Running, startProduct } from '../../harness/product.ts';

/** A running tier whose mails go where they were told to. */
export interface MeasuredTier {
  name: string;
  product: Running;
  /** The database that carries its events, for the floor. */
  databaseUrl: string;
  brokers?: string[];
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

/** A process for each service, on Kafka, MinIO and PostgreSQL, with media's photo documents on MongoDB. */
export async function openDistributed(env: Record<string, string>): Promise<MeasuredTier> {
  const tier = await distributedTier(env);
  const supervisor = await supervise(tier.programs, tier.logDir);
  const given = (name: string) => tier.env[name]!;
  return {
    name: 'on Kafka',
    product: {
      url: tier.url,
      inboxUrl: '',
      demoPassword: tier.demoPassword,
      serviceKeys: serviceKeysIn(tier.env),
      stripeSecretKey: given('STRIPE_SECRET_KEY'),
      stripePublishableKey: given('STRIPE_PUBLISHABLE_KEY'),
      stripeWebhookSecret: given('STRIPE_WEBHOOK_SECRET'),
      stripeApiUrl: given('STRIPE_API_URL'),
      callAuth: openClient(urlOf(tier.env, 'auth')),
    },
    databaseUrl: given('DATABASE_URL'),
    brokers: given('KAFKA_BROKERS').split(','),
    async close() {
      await supervisor.stop();
      await tier.close();
    },
  };
}
