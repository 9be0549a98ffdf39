import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import type { RateTable } from './rates.ts';

export interface RateStore {
  /** The table taken over last; undefined before the first. */
  latest(): Promise<RateTable | undefined>;
  keep(table: RateTable, acceptedAt: Date): Promise<void>;
}

export const rateStore = (sql: Sql): RateStore => ({
  async latest() {
    const { rows } = await sql.query<{ asOf: string; source: string; rates: RateTable['rates'] }>(
      `select as_of::text as "asOf", source, rates from rate_tables order by id desc limit 1`,
    );
    return rows[0];
  },
  async keep(table, acceptedAt) {
    await sql.query('insert into rate_tables (as_of, source, rates, accepted_at) values ($1, $2, $3, $4)', [
      table.asOf,
      table.source,
      JSON.stringify(table.rates),
      acceptedAt,
    ]);
  },
});
