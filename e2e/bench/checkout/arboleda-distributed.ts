import { MongoClient } from 'mongodb';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { mongoImage } from '@arboleda/chassis/testing/containers/mongo-image.ts';
import { waitFor } from '../../harness/wait.ts';
import { openDistributed } from '../visible/tiers.ts';
import { openBuying } from './buying.ts';
import { byClients, type Contestant } from './contestant.ts';

/** Whoever counts in FerretDB reads everything. */
const LOOK_EVERY_MS = { fast: 3, slow: 20 };
const FERRETDB = 'FerretDB in the place of MongoDB';

/**
 * A process for each service on Kafka, MinIO and PostgreSQL, all of them on this machine and on all its cores.
 * @param stand what orders and assignments stand on: PostgreSQL says what Kafka takes, where no MongoDB is to be had
 */
export async function startArboledaDistributed(stand: 'MongoDB' | 'PostgreSQL'): Promise<Contestant> {
  const documents = await documentsOf(stand);
  const isFast = documents !== FERRETDB;
  const tier = await openDistributed({ RATE_LIMIT_SCALE: '1000000', LOG_LEVEL: 'error' }, stand);
  const mongo = tier.mongodbUrl ? await new MongoClient(tier.mongodbUrl).connect() : undefined;
  const database = new pg.Client({ connectionString: tier.databaseUrl });
  await database.connect();
  const orders = mongo?.db('orders').collection('orders');
  const stored = async (): Promise<number> =>
    orders
      ? orders.countDocuments()
      : (await database.query<{ n: number }>('select count(*)::int as n from orders.orders')).rows[0]!.n;
  const buying = await openBuying(tier.product);
  let expected = 0;
  return {
    name: `Arboleda on Kafka (all cores, ${documents})`,
    // FerretDB takes minutes to what the others do in seconds.
    ...(isFast ? { share: 1, warmsUpBy: 1_000 } : { share: 0.25 }),
    async take(count, clients) {
      const startedAt = performance.now();
      expected += count;
      await byClients(count, clients, buying.buy);
      while ((await stored()) < expected) await sleep(isFast ? LOOK_EVERY_MS.fast : LOOK_EVERY_MS.slow);
      const seconds = (performance.now() - startedAt) / 1000;
      await waitFor('the mails of all orders', async () => {
        const { rows } = await database.query<{ n: number }>(
          'select count(*)::int as n from notifications.mails where sent_at is not null and order_id is not null',
        );
        // A donor's receipt, for each; what workers are told comes as soon as they have work.
        return rows[0]!.n >= expected;
      });
      return { stored: seconds };
    },
    async stop() {
      await buying.close();
      await database.end();
      await mongo?.close();
      await tier.close();
    },
  };
}

async function documentsOf(stand: 'MongoDB' | 'PostgreSQL'): Promise<string> {
  if (stand === 'PostgreSQL') return 'documents on PostgreSQL';
  return (await mongoImage()) === 'mongo:8' ? 'documents on MongoDB' : FERRETDB;
}
