import type { Sql } from '@arboleda/chassis/ports/sql.ts';

/** What money was taken for, and can go back for: a payment of trees (by card or by transfer), or a photo package. */
export interface Subject {
  kind: 'payment' | 'purchase';
  id: string;
  orderId: string;
  amountMinor: number;
  currency: string;
  method: 'stripe' | 'manual_bancolombia';
  isPaid: boolean;
  /** Paid as it was asked for: there is an order that is to hear of what happens to the money. */
  isOrder: boolean;
  /** Stripe's payment intent. */
  intentId: string | undefined;
}

interface Row {
  kind: Subject['kind'];
  id: string;
  order_id: string;
  amount_minor: string;
  currency: string;
  method: Subject['method'];
  is_paid: boolean;
  is_order: boolean;
  transaction_id: string | null;
}

const SUBJECTS = `
  select 'payment' as kind, id, order_id, coalesce((received ->> 'amountMinor')::bigint, amount_minor) as amount_minor,
    coalesce(received ->> 'currency', currency) as currency, payment_method as method,
    status in ('succeeded', 'mismatched') as is_paid, status = 'succeeded' as is_order, transaction_id from all_payments
  union all
  select 'purchase', id, order_id, amount_minor, currency, 'stripe', transaction_id is not null, false, transaction_id
  from package_purchases`;

type Reader = Pick<Sql, 'query'>;

async function one(sql: Reader, condition: string, value: string): Promise<Subject | undefined> {
  const { rows } = await sql.query<Row>(`select * from (${SUBJECTS}) as s where ${condition}`, [value]);
  const row = rows[0];
  return (
    row && {
      kind: row.kind,
      id: row.id,
      orderId: row.order_id,
      amountMinor: Number(row.amount_minor),
      currency: row.currency,
      method: row.method,
      isPaid: row.is_paid,
      isOrder: row.is_order,
      intentId: (row.method === 'stripe' && row.transaction_id) || undefined,
    }
  );
}

/** A payment of trees, by card or by transfer. */
export const paymentSubject = (sql: Reader, paymentId: string) =>
  one(sql, `kind = 'payment' and id = $1`, paymentId);
export const purchaseSubject = (sql: Reader, purchaseId: string) =>
  one(sql, `kind = 'purchase' and id = $1`, purchaseId);
/** Whose Stripe intent this is; undefined when it is none of ours. */
export const subjectOfIntent = (sql: Reader, intentId: string) =>
  one(sql, `method = 'stripe' and transaction_id = $1`, intentId);
