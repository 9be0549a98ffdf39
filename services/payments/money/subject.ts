import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { linkTrace } from '@arboleda/chassis/telemetry/trace.ts';
import type { PhotoPackageType } from '@arboleda/contracts/packages.ts';
import type { PaymentMethod } from '@arboleda/contracts/payment-method.ts';

/** The subject of refunds and disputes: a payment of trees (card or transfer) or a photo package. */
export interface Subject {
  kind: 'payment' | 'purchase';
  id: string;
  orderId: string;
  amountMinor: number;
  currency: string;
  paidBy: PaymentMethod['kind'];
  isPaid: boolean;
  /** Paid as asked, so the buyer is notified of refunds and disputes. */
  isOrder: boolean;
  /** Set for a photo package. */
  photoPackage: { photoPackageType: PhotoPackageType; isSurplus: boolean } | undefined;
  intentId: string | undefined;
}

interface Row {
  kind: Subject['kind'];
  id: string;
  order_id: string;
  amount_minor: string;
  currency: string;
  paid_by: Subject['paidBy'];
  is_paid: boolean;
  is_order: boolean;
  transaction_id: string | null;
  photo_package_type: PhotoPackageType | null;
  is_surplus: boolean;
  /** The trace in which it began. */
  traceparent: string | null;
}

const SUBJECTS = `
  select 'payment' as kind, id, order_id, coalesce((received ->> 'amountMinor')::bigint, amount_minor) as amount_minor,
    coalesce(received ->> 'currency', currency) as currency, payment_kind as paid_by,
    status in ('succeeded', 'mismatched') as is_paid, status = 'succeeded' as is_order, transaction_id,
    null as photo_package_type, false as is_surplus, traceparent from all_payments
  union all
  select 'purchase', id, order_id, coalesce((received ->> 'amountMinor')::bigint, amount_minor),
    coalesce(received ->> 'currency', currency), 'card', transaction_id is not null,
    status in ('active', 'completed', 'stopped', 'surplus'), transaction_id, photo_package_type, status = 'surplus',
    traceparent from package_purchases`;

type Reader = Pick<Sql, 'query'>;

async function many(sql: Reader, condition: string, value: unknown): Promise<Row[]> {
  const { rows } = await sql.query<Row>(`select * from (${SUBJECTS}) as s where ${condition}`, [value]);
  return rows;
}

async function one(sql: Reader, condition: string, value: unknown): Promise<Subject | undefined> {
  const [row] = await many(sql, condition, value);
  linkTrace(row?.traceparent);
  return row && subjectOf(row);
}

const subjectOf = (row: Row): Subject => ({
  kind: row.kind,
  id: row.id,
  orderId: row.order_id,
  amountMinor: Number(row.amount_minor),
  currency: row.currency,
  paidBy: row.paid_by,
  isPaid: row.is_paid,
  isOrder: row.is_order,
  photoPackage: row.photo_package_type
    ? { photoPackageType: row.photo_package_type, isSurplus: row.is_surplus }
    : undefined,
  intentId: (row.paid_by === 'card' && row.transaction_id) || undefined,
});

/** By our id, of any kind. */
export const subjectNamed = (sql: Reader, id: string) => one(sql, 'id = $1', id);
export const subjectsNamed = async (sql: Reader, ids: readonly string[]) =>
  (await many(sql, 'id = any($1)', ids)).map(subjectOf);
/** By Stripe's intent; undefined when it is not ours. */
export const subjectOfIntent = (sql: Reader, intentId: string) =>
  one(sql, `paid_by = 'card' and transaction_id = $1`, intentId);
