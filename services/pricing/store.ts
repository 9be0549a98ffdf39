import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import type { RateTable } from './rates/rates.ts';
import type { LastRefresh } from './rates/refresh-plan.ts';

export interface RateStore {
  /** The last accepted table; undefined before the first. */
  latest(): Promise<RateTable | undefined>;
  keep(table: RateTable, acceptedAt: Date): Promise<void>;
  /** The result of the last refresh; undefined before the first. */
  lastRefresh(): Promise<LastRefresh | undefined>;
  noteRefresh(refresh: LastRefresh): Promise<void>;
}

export const rateStore = (sql: Sql): RateStore => ({
  async latest() {
    const { rows } = await sql.query<{
      asOf: string;
      source: string;
      rates: RateTable['rates'];
      older: object;
    }>(`select as_of::text as "asOf", source, rates, older from rate_tables order by id desc limit 1`);
    return rows[0];
  },
  async keep(table, acceptedAt) {
    await sql.query(
      'insert into rate_tables (as_of, source, rates, older, accepted_at) values ($1, $2, $3, $4, $5)',
      [table.asOf, table.source, JSON.stringify(table.rates), JSON.stringify(table.older ?? {}), acceptedAt],
    );
  },
  async lastRefresh() {
    const { rows } = await sql.query<LastRefresh>(
      `select attempted_at as "attemptedAt", failures, refused from rate_refreshes`,
    );
    return rows[0];
  },
  async noteRefresh({ attemptedAt, failures, refused }) {
    await sql.query(
      `insert into rate_refreshes (attempted_at, failures, refused) values ($1, $2, $3)
       on conflict (only_one) do update set
         attempted_at = excluded.attempted_at, failures = excluded.failures, refused = excluded.refused`,
      [attemptedAt, failures, refused],
    );
  },
});
