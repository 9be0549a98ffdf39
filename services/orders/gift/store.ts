import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import type { Order } from '../order/order.ts';
import type { OrderTable } from '../order/store.ts';

export interface GiftOrders {
  /** The order of a gift, by the token of the recipient's page. */
  byGift(token: string): Promise<Order | undefined>;
  /** Gifts in an account, latest claim first; at most a hundred. */
  giftsClaimedBy(accountId: string): Promise<Order[]>;
  /** Gifts to an address, oldest first. @param email in lower case */
  giftsTo(email: string): Promise<Order[]>;
  /**
   * Runs while no other gift to this address is being changed, in any process. `run` uses connections of its own, so each
   * process runs one at a time: two that held a connection could wait for each other's.
   */
  lockGiftsTo<T>(email: string, run: () => Promise<T>): Promise<T>;
  /** Counts gifts to an address on a day, paid for or not, cancelled ones aside. @param except an order's id */
  giftsOnDay(email: string, day: string, except: string): Promise<number>;
}

export function openGiftOrders(sql: Sql, table: OrderTable): GiftOrders {
  let lastGiftChange: Promise<unknown> = Promise.resolve();
  return {
    async byGift(token) {
      return (await table.select('where gift_token = $1', [token]))[0];
    },

    giftsClaimedBy: (accountId) =>
      table.select(`where gift_account = $1 order by gift -> 'claim' ->> 'at' desc limit 100`, [accountId]),

    giftsTo: (email) => table.select('where gift_email = $1 order by created_at, id', [email]),

    lockGiftsTo(email, run) {
      const locked = () =>
        sql.transaction(async (tx) => {
          await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`gifts to:${email}`]);
          return run();
        });
      const result = lastGiftChange.then(locked, locked);
      lastGiftChange = result;
      return result;
    },

    async giftsOnDay(email, day, except) {
      const { rows } = await sql.query<{ gifts: string }>(
        `select count(*) as gifts from orders
         where gift_email = $1 and gift ->> 'deliverOn' = $2 and gift_state <> 'cancelled' and id <> $3`,
        [email, day, except],
      );
      return Number(rows[0]!.gifts);
    },
  };
}
