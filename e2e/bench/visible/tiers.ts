import { openProduct, type Running } from '../../harness/product.ts';
import { supervise } from '../../reliability/supervisor.ts';
import { distributedTier } from '../../reliability/tiers.ts';

/** A running tier whose mails go to the given server. */
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
  await using closing = new AsyncDisposableStack();
  const { programs, logDir, product, env: settings } = await distributedTier(closing, env);
  closing.defer((await supervise(programs, logDir)).stop);
  const started = closing.move();
  return {
    name: 'on Kafka',
    product,
    databaseUrl: settings.DATABASE_URL!,
    brokers: settings.KAFKA_BROKERS!.split(','),
    close: () => started.disposeAsync(),
  };
}
