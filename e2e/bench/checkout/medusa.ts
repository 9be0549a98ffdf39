import pg from 'pg';
import { byClients, type Contestant } from './contestant.ts';
import { type MedusaStore, openMedusaBuyer } from './medusa-buyer.ts';
import { startPeerShop } from './peer-shop.ts';

const VERSION = '2.21.2';

/** A store of Medusa on a database of its own. */
export async function startMedusa(databaseUrl: string): Promise<Contestant> {
  const { url, ready, stop } = await startPeerShop<Omit<MedusaStore, 'url'>>({
    name: 'medusa',
    packages: { '@medusajs/medusa': VERSION, '@medusajs/framework': VERSION, '@medusajs/cli': VERSION },
    files: ['medusa-peer.js', 'medusa-config.js'],
    env: { LOG_LEVEL: 'error', MEDUSA_DISABLE_TELEMETRY: 'true' },
    databaseUrl,
  });
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  const buy = openMedusaBuyer({ url, ...ready });
  let expected = 0;
  return {
    name: 'Medusa',
    share: 0.25,
    warmsUpBy: 200,
    async take(orders, clients) {
      expected += orders;
      const seconds = await byClients(orders, clients, buy);
      const { rows } = await database.query<{ n: number }>('select count(*)::int as n from "order"');
      if (rows[0]!.n !== expected) throw new Error(`Medusa has ${rows[0]!.n} orders instead of ${expected}`);
      return { stored: seconds };
    },
    async stop() {
      await database.end();
      await stop();
    },
  };
}
