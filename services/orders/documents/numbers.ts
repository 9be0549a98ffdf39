import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { dayOf } from '@arboleda/contracts/time-zone.ts';

/** Numbers of receipts, like "2026-000123": one per paid order, and none is missing within a year. */
export interface ReceiptNumbers {
  /** Gives the order its number, the same one each time. @param paidAt decides the year, in the organisation's time */
  of(orderId: string, paidAt: string): Promise<string>;
}

/**
 * One statement takes the next number of the year and stores it with its order, so the row of the year is locked no
 * longer than that statement. Two that come for one order at once break the order's key: the second one takes no number,
 * and reads the first one's.
 */
const GIVE = `
  with known as (select year, number from receipts where order_id = $2),
  next as (
    insert into receipt_years as years (year, last) select $1::int, 1 where not exists (select from known)
    on conflict (year) do update set last = years.last + 1
    returning last
  ),
  given as (insert into receipts (order_id, year, number) select $2, $1, last from next returning year, number)
  select year, number from known union all select year, number from given`;

export const openReceiptNumbers = (sql: Pick<Sql, 'prepared'>): ReceiptNumbers => ({
  async of(orderId, paidAt) {
    const year = Number(dayOf(paidAt).slice(0, 4));
    const give = () => sql.prepared<{ year: number; number: number }>(GIVE, [year, orderId]);
    const { rows } = await give().catch((error: { code?: string }) => {
      if (error.code === UNIQUE_VIOLATION) return give();
      throw error;
    });
    return receiptNumber(rows[0]!);
  },
});

const UNIQUE_VIOLATION = '23505';

/** Written on receipts that people keep for their taxes, so its form stays. */
export const receiptNumber = ({ year, number }: { year: number; number: number }): string =>
  `${year}-${String(number).padStart(6, '0')}`;
