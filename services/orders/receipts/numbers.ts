import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { dayOf } from '@arboleda/contracts/time-zone.ts';

/** Numbers of receipts, like "2026-000123": one per paid order, and none is missing within a year. */
export interface ReceiptNumbers {
  /** Gives the order its number, the same one each time. @param paidAt decides the year, in the organisation's time */
  of(orderId: string, paidAt: string): Promise<string>;
}

/**
 * Numbers are given out by one row per year, which stays locked until the number is stored with its order: what fails or
 * comes twice uses up none.
 */
export const openReceiptNumbers = (sql: Pick<Sql, 'transaction'>): ReceiptNumbers => ({
  of: (orderId, paidAt) =>
    sql.transaction(async (tx) => {
      const year = Number(dayOf(paidAt).slice(0, 4));
      await tx.query('insert into receipt_years (year) values ($1) on conflict do nothing', [year]);
      await tx.query('select from receipt_years where year = $1 for update', [year]);
      const known = await tx.query<{ year: number; number: number }>(
        'select year, number from receipts where order_id = $1',
        [orderId],
      );
      if (known.rows[0]) return written(known.rows[0]);
      const { rows } = await tx.query<{ year: number; number: number }>(
        `with next as (update receipt_years set last = last + 1 where year = $1 returning last)
         insert into receipts (order_id, year, number) select $2, $1, last from next returning year, number`,
        [year, orderId],
      );
      return written(rows[0]!);
    }),
});

const written = ({ year, number }: { year: number; number: number }): string =>
  `${year}-${String(number).padStart(6, '0')}`;
