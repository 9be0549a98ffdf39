import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import type { CertificateCode } from '@arboleda/contracts/certificate-code.ts';
import type { Order } from '../order/order.ts';
import type { OrderTable } from '../order/store.ts';
import { LIST_BITS, type StatusEntry, statusEntryOf } from './status-list.ts';

/** Changes of codes for the table `certificates`: issued by this write, and no longer valid since. */
export function codesChanged(before: Order | undefined, after: Order): { issued: string[]; ended: string[] } {
  if (before?.certificate === after.certificate) return { issued: [], ended: [] };
  const known = (before?.certificate?.versions ?? []).map(({ code }) => code);
  const codes = (after.certificate?.versions ?? []).map(({ code }) => code);
  const issuedNow = codes.filter((code) => !known.includes(code));
  const ends = after.certificate?.revoked !== undefined || issuedNow.length > 0;
  return { issued: issuedNow, ended: ends ? known : [] };
}

/**
 * CTEs that keep the table `certificates` in the statement that writes the order. A code that exists already fails the
 * write as a whole.
 * @param changed the parameter that holds `{ codes }` of `codesChanged`, as JSON
 */
export const codeSteps = (changed: string): string => `
  codes_issued as (
    insert into certificates (code, order_id)
    select code, written.id from written, jsonb_array_elements_text(${changed}::jsonb -> 'codes' -> 'issued') as code),
  codes_ended as (
    update certificates set is_ended = true from written
    where code in (select jsonb_array_elements_text(${changed}::jsonb -> 'codes' -> 'ended')) and not is_ended)`;

export interface CertifiedOrders {
  /** The order of a certificate, by the code of any of its versions. */
  byCertificate(code: CertificateCode): Promise<Order | undefined>;
}

export const openCertified = (table: OrderTable): CertifiedOrders => ({
  async byCertificate(code) {
    return (await table.select('where id = (select order_id from certificates where code = $1)', [code]))[0];
  },
});

export interface CertificateStatuses {
  /** @returns undefined for an unknown code */
  entryOf(code: CertificateCode): Promise<StatusEntry | undefined>;
  /** Indexes of superseded and revoked versions in a list; undefined when there is no such list. */
  endedIn(list: number): Promise<number[] | undefined>;
}

export const openStatuses = (sql: Pick<Sql, 'query'>): CertificateStatuses => ({
  async entryOf(code) {
    const { rows } = await sql.query<{ number: string }>('select number from certificates where code = $1', [
      code,
    ]);
    return rows[0] && statusEntryOf(Number(rows[0].number));
  },
  async endedIn(list) {
    const first = list * LIST_BITS;
    const { rows } = await sql.query<{ newest: string | null; ended: number[] | null }>(
      `select (select max(number) from certificates) as newest,
         (select array_agg((number - $1)::integer) from certificates
          where is_ended and number >= $1 and number < $2) as ended`,
      [first, first + LIST_BITS],
    );
    const { newest, ended } = rows[0]!;
    return list > 0 && first > Number(newest ?? 0) ? undefined : (ended ?? []);
  },
});
