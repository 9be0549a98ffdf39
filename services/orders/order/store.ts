import { openTable, type Records } from '@arboleda/chassis/records.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import type { Currency } from '@arboleda/contracts/countries.ts';
import { PLANTED_STATUSES } from '@arboleda/contracts/order.ts';
import type { CertificateCode } from '@arboleda/contracts/certificate-code.ts';
import { codesChanged, codeSteps } from '../certificate/store.ts';
import { countingSteps, recounted } from '../figures/counters.ts';
import { type ListQuery, listQuery, searched } from '../list/list-query.ts';
import { type Counted, COUNTED_TO, countsOf, type Filter, type Position } from '../list/listing.ts';
import type { Order } from './order.ts';
import { columns, fromRow, type OrderRow, toRow } from './table.ts';

export const MIGRATIONS = new URL('../migrations/', import.meta.url);

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

export interface OrderStore extends Records<Order> {
  byToken(token: string): Promise<Order | undefined>;
  /** The order of a certificate, by the code of any of its versions. */
  byCertificate(code: CertificateCode): Promise<Order | undefined>;
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
  /** Newest first, at most `limit`, after `after`; includes unpaid orders. @param emailKey in lower case */
  ofCustomer(emailKey: string, page: { after?: Position | undefined; limit: number }): Promise<Order[]>;
  /** At most `limit` paid orders, after `after`. */
  page(query: ListQuery): Promise<Order[]>;
  /** Counts by status, whatever status the filter has; what words or filters find is counted up to a bound. */
  counts(filter: Filter): Promise<Counted>;
  /**
   * At most `limit` orders changed since then, in order of change. @param after instant and id of the last
   * one read
   */
  changedSince(from: string, after: readonly [string, string] | undefined, limit: number): Promise<Order[]>;

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

/** Writes what is decided as it is: see reactions.ts for what follows from it. @param countedTo bound for counts of what words or filters find */
export function openStore(sql: Sql, countedTo = COUNTED_TO): OrderStore {
  const table = openTable<Order, OrderRow>(sql, {
    table: 'orders',
    columns,
    idOf: ({ id }) => id,
    toRow,
    fromRow,
    keepsTrace: true,
    alongside: {
      steps: `${countingSteps('$3')}, ${codeSteps('$3')}`,
      value: (before, after) => ({ ...recounted(before, after), codes: codesChanged(before, after) }),
    },
  });
  let lastGiftChange: Promise<unknown> = Promise.resolve();
  const one = async <Row extends Record<string, unknown>>(text: string, values?: readonly unknown[]) =>
    (await sql.query<Row>(text, values)).rows[0]!;
  const countBy = async (from: string, values: readonly unknown[]): Promise<Record<string, number>> => {
    const text = `select status, count(*) as orders ${from} group by status`;
    return byStatus((await sql.query<{ status: string; orders: string }>(text, values)).rows);
  };

  return {
    get: table.get,
    change: table.change,

    async byToken(token) {
      return (await table.select('where token = $1', [token]))[0];
    },

    async byCertificate(code) {
      return (
        await table.select('where id = (select order_id from certificates where code = $1)', [code])
      )[0];
    },

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
      const { gifts } = await one<{ gifts: string }>(
        `select count(*) as gifts from orders
         where gift_email = $1 and gift ->> 'deliverOn' = $2 and gift_state <> 'cancelled' and id <> $3`,
        [email, day, except],
      );
      return Number(gifts);
    },

    ofCustomer(emailKey, { after, limit }) {
      const behind = after ? 'and (created_at, id) < ($3, $4)' : '';
      return table.select(`where email_key = $1 ${behind} order by created_at desc, id desc limit $2`, [
        emailKey,
        limit,
        ...(after ?? []),
      ]);
    },

    async page(query) {
      const { where, order, end, values, search } = listQuery(query);
      if (!search) return table.select(`where ${where} ${end}`, values);
      return searched(
        query.limit,
        (window) => table.select(`where id in (select id ${search(window)}) ${order}`, values),
        ({ length }) => length,
      );
    },

    async counts({ status: _all, ...filter }) {
      const limit = countedTo + 1;
      const { where, values, isNarrowed, search } = listQuery({ filter, sort: 'newest', limit });
      if (search) {
        const counted = await searched(
          limit,
          (window) => countBy(`from (select status ${search(window)}) as counted`, values),
          (counts) => Object.values(counts).reduce((sum, count) => sum + count, 0),
        );
        return countsOf(counted, countedTo);
      }
      if (isNarrowed) {
        const some = `from (select status from orders where ${where} limit ${limit}) as counted`;
        return countsOf(await countBy(some, values), countedTo);
      }
      if (values.length > 0) return countsOf(await countBy(`from orders where ${where}`, values));
      const { rows } = await sql.query<{ status: string; orders: string }>(
        `select status, sum(orders) as orders from order_totals where standing in ('paid', 'withdrawn') group by status`,
      );
      return countsOf(byStatus(rows));
    },

    changedSince(from, after, limit) {
      const behind = after ? 'and (updated_at, id) > ($3, $4)' : '';
      return table.select(`where updated_at >= $1 ${behind} order by updated_at, id limit $2`, [
        from,
        limit,
        ...(after ?? []),
      ]);
    },

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

const byStatus = (rows: readonly { status: string; orders: string }[]): Record<string, number> =>
  Object.fromEntries(rows.map(({ status, orders }) => [status, Number(orders)]));
