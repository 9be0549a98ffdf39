import type { Running } from '../../harness/product.ts';
import { supervise } from '../../reliability/crash/supervisor.ts';
import { distributedTier, runningAt } from '../../reliability/crash/tiers.ts';
import { openProduct } from '../processes.ts';

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
  const product = await openProduct(env);
  return { name: 'embedded', product, databaseUrl: product.databaseUrl, close: product.stop };
}

/** A process for each service, on Kafka, MinIO and PostgreSQL, with media's photo documents on MongoDB. */
export async function openDistributed(env: Record<string, string>): Promise<MeasuredTier> {
  const tier = await distributedTier(env);
  const supervisor = await supervise(tier.programs, tier.logDir);
  return {
    name: 'on Kafka',
    product: runningAt(tier.env, tier.url, tier.demoPassword),
    databaseUrl: tier.env.DATABASE_URL!,
    brokers: tier.env.KAFKA_BROKERS!.split(','),
    async close() {
      await supervisor.stop();
      await tier.close();
    },
  };
}
