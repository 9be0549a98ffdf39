import { receiptNumber } from '@arboleda/orders/documents/numbers.ts';

/** More than any installation gives in an hour, and what the counter of receipts is rounded up to. */
const PER_HOUR = 10_000;
const HOUR_MS = 3_600_000;
/** The organisation's time is at most this far from UTC. */
const TIME_ZONE_MS = 14 * HOUR_MS;

/** At least 10,000, if the clock went back, too. */
const mayBeGiven = (madeAt: Date, now: Date): number =>
  PER_HOUR * Math.max(1, Math.ceil((now.getTime() - madeAt.getTime()) / HOUR_MS));

/**
 * SQL that moves the counters of receipt numbers on, because those given after the backup are in donors' hands: by 10,000 for
 * every hour begun since then, up to the next full 10,000. Each row that it returns is a year and its last number.
 * @param madeAt the moment of the backup
 */
export function movingReceiptsOn(madeAt: Date, now: Date): string {
  const from = new Date(Math.min(madeAt.getTime(), now.getTime()) - TIME_ZONE_MS).getUTCFullYear();
  const to = new Date(now.getTime() + TIME_ZONE_MS).getUTCFullYear();
  const moved = (last: string) =>
    `(${last} + ${mayBeGiven(madeAt, now)} + ${PER_HOUR - 1}) / ${PER_HOUR} * ${PER_HOUR}`;
  // A payment of last year may be reported late, so former years move on, too.
  return `
    insert into orders.receipt_years as years (year, last)
    select year, ${moved('0')} from (
      select year from orders.receipt_years union select generate_series(${from}, ${to})
    ) as all_years
    on conflict (year) do update set last = ${moved('years.last')}
    returning year, last;`;
}

/** The next number of this year. @param rows of movingReceiptsOn */
export function nextReceipt(rows: readonly { year: number; last: number }[], now: Date): string {
  const year = now.getUTCFullYear();
  return receiptNumber({ year, number: rows.find((row) => row.year === year)!.last + 1 });
}

/** SQL that does the same for the places of certificates in status lists: donors hold credentials that name theirs. */
export const movingCertificatesOn = (madeAt: Date, now: Date): string => `
  select setval(
    pg_get_serial_sequence('orders.certificates', 'number'),
    coalesce((select max(number) from orders.certificates), 0) + ${mayBeGiven(madeAt, now)}
  );`;
