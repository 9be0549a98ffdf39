import { fileURLToPath } from 'node:url';
import { CORES, openDatabase, outputOf, start } from '../processes.ts';
import type { Competitor } from './competitor.ts';
import type { Transactions } from './floor-process.ts';

const PROGRAM = fileURLToPath(new URL('floor-process.ts', import.meta.url));

/** Tables of the floor, and those whose columns and indexes they have. */
const TABLES = {
  payments: 'payments.payments',
  stripe_events: 'payments.stripe_events',
  orders: 'orders.orders',
  events: 'orders._outbox',
};

/**
 * The rows that Arboleda stores for an order, in tables with the same indexes, written by a program that does nothing else: one
 * transaction for each order, or one for each step of a sale.
 * @param databaseUrl of Arboleda, in which somebody has bought something
 */
export async function openFloors(databaseUrl: string): Promise<Competitor[]> {
  await using database = await openDatabase(databaseUrl);
  await database.query('create schema floor');
  for (const [table, like] of Object.entries(TABLES))
    await database.query(`create table floor.${table} (like ${like} including all)`);
  const floor = (name: string, transactions: Transactions): Competitor => ({
    name,
    share: 1,
    async take(orders, clients) {
      const args = [PROGRAM, databaseUrl, String(orders), String(clients), transactions];
      return { stored: Number(await outputOf(start({ args, core: CORES.measured }, 'pipe'))) };
    },
    stop: async () => undefined,
  });
  return [floor('raw SQL', 'one'), floor('raw SQL, a transaction for each of three steps', 'steps')];
}
