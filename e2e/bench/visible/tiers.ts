import { openProduct, type Running } from '../../harness/product.ts';
import { closeAll, type Closers } from '../../reliability/setup.ts';
import { supervise } from '../../reliability/supervisor.ts';
import { distributedTier } from '../../reliability/tiers.ts';

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
  const closers: Closers = [];
  try {
    const { programs, logDir, product, env: settings } = await distributedTier(closers, env);
    closers.push((await supervise(programs, logDir)).stop);
    return {
      name: 'on Kafka',
      product,
      databaseUrl: settings.DATABASE_URL!,
      brokers: settings.KAFKA_BROKERS!.split(','),
      close: () => closeAll(closers),
    };
  } catch (error) {
    await closeAll(closers);
    throw error;
  }
}
