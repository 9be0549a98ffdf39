import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import type { Currency } from '@arboleda/contracts/countries.ts';
import { PLANTED_STATUSES } from '@arboleda/contracts/order.ts';
import type { Order } from '../order/order.ts';
import type { OrderTable } from '../order/store.ts';

export interface Sold {
  day: string;
  currency: Currency;
  orders: number;
  trees: number;
  amountMinor: number;
  refundedMinor: number;
  lostMinor: number;
}

export type SoldPackages = Pick<Sold, 'day' | 'currency' | 'amountMinor' | 'refundedMinor' | 'lostMinor'>;

export interface OrderFigures {
  /** Trees of paid orders: in total, planted, and with a visible photo. */
  paidTrees(): Promise<{ funded: number; planted: number; photographed: number }>;
  /** A customer's paid or submitted orders, their trees, and how many of those are paid and planted. */
  customerTotals(emailKey: string): Promise<{ orders: number; trees: number; planted: number }>;
  /** Paid orders, refunded or not. @param day first day, in the organisation's time zone */
  soldSince(day: string): Promise<Sold[]>;
  /** Photo packages by day of purchase, refunded or not. @param day first day, in the organisation's time zone */
  packagesSoldSince(day: string): Promise<SoldPackages[]>;
  /** Orders with a report of a former worker to look into, oldest change first. */
  reported(limit: number): Promise<Order[]>;
  /** Orders that wait for their money or for a worker, with the time of the oldest. */
  waiting(standing: 'awaiting' | 'paid'): Promise<{ orders: number; oldestAt?: string }>;
  /** Withdrawals whose money is not back yet, with the oldest, the next deadline, and how many are past it. */
  openWithdrawals(
    now: string,
  ): Promise<{ orders: number; oldestAt?: string; nextBy?: string; overdue: number }>;
  /**
   * Counts paid, assigned, unplanted orders by time of assignment.
   * @param instants ascending
   * @returns counts before the first instant, between each two, and after the last
   */
  notPlanted(instants: readonly string[]): Promise<number[]>;
  /** Since when the paid order that waits longest has waited for each step; null when none waits. */
  longestWaiting(): Promise<Record<'assigned' | 'planted' | 'completed', Date | null>>;
}

export function openFigures(sql: Sql, table: OrderTable): OrderFigures {
  const one = async <Row extends Record<string, unknown>>(text: string, values?: readonly unknown[]) =>
    (await sql.query<Row>(text, values)).rows[0]!;
  return {
    async paidTrees() {
      const { funded, planted, photographed } = await one<
        Record<'funded' | 'planted' | 'photographed', string>
      >(
        `select coalesce(sum(trees), 0) as funded,
           coalesce(sum(trees) filter (where status = any($1)), 0) as planted,
           coalesce(sum(trees) filter (where is_photographed), 0) as photographed
         from order_totals where standing = 'paid'`,
        [PLANTED_STATUSES],
      );
      return { funded: Number(funded), planted: Number(planted), photographed: Number(photographed) };
    },

    async customerTotals(emailKey) {
      const { orders, trees, planted } = await one<Record<'orders' | 'trees' | 'planted', string>>(
        `select count(*) as orders, coalesce(sum(trees), 0) as trees,
           coalesce(sum(trees) filter (where standing = 'paid' and status = any($2)), 0) as planted
         from orders where email_key = $1 and standing in ('paid', 'awaiting')`,
        [emailKey, PLANTED_STATUSES],
      );
      return { orders: Number(orders), trees: Number(trees), planted: Number(planted) };
    },

    async soldSince(day) {
      const { rows } = await sql.query<Record<keyof Sold, string> & { currency: Currency }>(
        `select day, currency, sum(orders) as orders, sum(trees) as trees, sum(amount_minor) as "amountMinor",
           sum(refunded_minor) as "refundedMinor", sum(lost_minor) as "lostMinor"
         from order_days where day >= $1 and standing in ('paid', 'withdrawn')
         group by day, currency having sum(orders) > 0 order by day, currency`,
        [day],
      );
      return rows.map((row) => ({
        day: row.day,
        currency: row.currency,
        orders: Number(row.orders),
        trees: Number(row.trees),
        amountMinor: Number(row.amountMinor),
        refundedMinor: Number(row.refundedMinor),
        lostMinor: Number(row.lostMinor),
      }));
    },

    async packagesSoldSince(day) {
      const { rows } = await sql.query<Record<keyof SoldPackages, string> & { currency: Currency }>(
        `select day, currency, sum(amount_minor) as "amountMinor", sum(refunded_minor) as "refundedMinor",
           sum(lost_minor) as "lostMinor"
         from package_days where day >= $1 group by day, currency having sum(packages) > 0 order by day, currency`,
        [day],
      );
      return rows.map((row) => ({
        day: row.day,
        currency: row.currency,
        amountMinor: Number(row.amountMinor),
        refundedMinor: Number(row.refundedMinor),
        lostMinor: Number(row.lostMinor),
      }));
    },

    reported: (limit) => table.select('where has_late_step order by updated_at limit $1', [limit]),

    async waiting(standing) {
      const { orders, oldest } = await one<{ orders: string; oldest: Date | null }>(
        `select (select coalesce(sum(orders), 0) from order_totals where standing = $1 and status = 'pending') as orders,
           (select min(created_at) from orders where standing = $1 and status = 'pending') as oldest`,
        [standing],
      );
      return { orders: Number(orders), ...(oldest && { oldestAt: oldest.toISOString() }) };
    },

    async openWithdrawals(now) {
      const { orders, overdue, oldest, next } = await one<
        Record<'orders' | 'overdue', string> & Record<'oldest' | 'next', Date | null>
      >(
        `select count(*) as orders, count(*) filter (where refund_by < $1) as overdue,
           min(withdrawn_from_at) as oldest, min(refund_by) as next
         from orders where is_paid and refund_by is not null`,
        [now],
      );
      return {
        orders: Number(orders),
        overdue: Number(overdue),
        ...(oldest && { oldestAt: oldest.toISOString() }),
        ...(next && { nextBy: next.toISOString() }),
      };
    },

    async notPlanted(instants) {
      const { rows } = await sql.query<{ at: number; orders: string }>(
        `select width_bucket(assigned_at, $1::timestamptz[]) as at, count(*) as orders from orders
         where status = 'assigned' and standing = 'paid' group by 1`,
        [instants],
      );
      const found = new Map(rows.map(({ at, orders }) => [at, Number(orders)]));
      return Array.from({ length: instants.length + 1 }, (_, at) => found.get(at) ?? 0);
    },

    longestWaiting: () =>
      one(
        `select (select min(created_at) from orders where standing = 'paid' and status = 'pending') as assigned,
           (select min(assigned_at) from orders where standing = 'paid' and status = 'assigned') as planted,
           (select min(created_at) from orders where is_paid and status = 'planted') as completed`,
      ),
  };
}
