import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { waitFor } from '../../harness/wait.ts';
import { openDistributed } from '../visible/tiers.ts';
import { openBuying } from './buying.ts';
import { byClients, type Contestant } from './contestant.ts';

const LOOK_EVERY_MS = 3;

/** A process for each service on Kafka, MinIO and PostgreSQL, all of them on this machine and on all its cores. */
export async function startArboledaDistributed(): Promise<Contestant> {
  const tier = await openDistributed({ RATE_LIMIT_SCALE: '1000000', LOG_LEVEL: 'error' });
  const database = new pg.Client({ connectionString: tier.databaseUrl });
  await database.connect();
  const stored = async (): Promise<number> =>
    (await database.query<{ n: number }>('select count(*)::int as n from orders.orders')).rows[0]!.n;
  const buying = await openBuying(tier.product);
  let expected = 0;
  return {
    name: 'Arboleda on Kafka (all cores)',
    share: 1,
    warmsUpBy: 1_000,
    async take(count, clients) {
      const startedAt = performance.now();
      expected += count;
      await byClients(count, clients, buying.buy);
      while ((await stored()) < expected) await sleep(LOOK_EVERY_MS);
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
      await tier.close();
    },
  };
}
