import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { currentTraceparent, linkTrace } from '@arboleda/chassis/telemetry/trace.ts';
import type { Customer } from '@arboleda/contracts/fields.ts';
import type { Language } from '@arboleda/contracts/roles.ts';
import { isGoingBack } from '../money/refund.ts';
import { accountOf } from '../money/store.ts';
import { subjectNamed } from '../money/subject.ts';
import { isWithdrawing } from '../withdrawals.ts';
import { CURRENT_STATUSES, type PackagePurchase, type Surroundings } from './purchase.ts';

type Reader = Pick<Sql, 'query'>;

const COLUMNS = `id, order_id, photo_package_type, price_id, amount_minor, currency, customer, language, recipient_account,
  status, revision, session_id, checkout_url, transaction_id, received, created_at, purchased_at, traceparent`;

interface Row {
  id: string;
  order_id: string;
  photo_package_type: PackagePurchase['photoPackageType'];
  price_id: string;
  amount_minor: string;
  currency: PackagePurchase['currency'];
  customer: Customer;
  language: Language;
  recipient_account: string | null;
  status: PackagePurchase['status'];
  revision: number;
  session_id: string | null;
  received: PackagePurchase['received'] | null;
  checkout_url: string | null;
  transaction_id: string | null;
  created_at: Date;
  purchased_at: Date | null;
  traceparent: string | null;
}

async function many(sql: Reader, condition: string, values: readonly unknown[]): Promise<Row[]> {
  const { rows } = await sql.query<Row>(
    `select ${COLUMNS} from package_purchases where ${condition} order by created_at, id`,
    values,
  );
  return rows;
}

/** Links what is done about a purchase to the trace in which the customer began it. */
async function one(sql: Reader, condition: string, values: readonly unknown[]) {
  const [row] = await many(sql, condition, values);
  linkTrace(row?.traceparent);
  return row && read(row);
}

export const purchasesOf = async (sql: Reader, orderId: string) =>
  (await many(sql, 'order_id = $1', [orderId])).map(read);

export const purchaseNamed = (sql: Reader, purchaseId: string) => one(sql, 'id = $1', [purchaseId]);

export const currentPurchase = (sql: Reader, orderId: string) =>
  one(sql, 'order_id = $1 and status = any($2)', [orderId, CURRENT_STATUSES]);

export async function insertPurchase(sql: Reader, purchase: PackagePurchase): Promise<void> {
  await sql.query(
    `insert into package_purchases (id, order_id, photo_package_type, price_id, amount_minor, currency, customer,
       language, status, created_at, updated_at, recipient_account, traceparent)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, $11, $12)`,
    [
      purchase.purchaseId,
      purchase.orderId,
      purchase.photoPackageType,
      purchase.priceId,
      purchase.amountMinor,
      purchase.currency,
      JSON.stringify(purchase.customer),
      purchase.language,
      purchase.status,
      purchase.createdAt,
      purchase.recipientAccountId ?? null,
      currentTraceparent() ?? null,
    ],
  );
}

export async function updatePurchase(sql: Reader, purchase: PackagePurchase, now: Date): Promise<void> {
  await sql.query(
    `update package_purchases set status = $2, session_id = $3, checkout_url = $4, transaction_id = $5,
       purchased_at = $6, updated_at = $7, revision = $8, received = $9 where id = $1`,
    [
      purchase.purchaseId,
      purchase.status,
      purchase.sessionId ?? null,
      purchase.checkoutUrl ?? null,
      purchase.transactionId ?? null,
      purchase.purchasedAt ?? null,
      now,
      purchase.revision,
      purchase.received ? JSON.stringify(purchase.received) : null,
    ],
  );
}

export interface PaidOrder {
  orderId: string;
  customer: Customer;
  language: Language;
  /** Fully refunded, or about to be. */
  isRefunded: boolean;
  /** Its donor is withdrawing, or withdrew. */
  isWithdrawing: boolean;
}

/** @returns undefined when the order is unpaid or its transfer is not approved */
export async function paidOrder(sql: Reader, orderId: string): Promise<PaidOrder | undefined> {
  const { rows } = await sql.query<{
    id: string;
    customer: Customer;
    language: Language;
    is_withdrawing: boolean;
  }>(
    `select id, customer, language, ${isWithdrawing('p.order_id')} as is_withdrawing from all_payments p
     where order_id = $1 and status = 'succeeded'`,
    [orderId],
  );
  const row = rows[0];
  if (!row) return undefined;
  const account = await accountOf(sql, (await subjectNamed(sql, row.id))!);
  return {
    orderId,
    customer: row.customer,
    language: row.language,
    isRefunded: isGoingBack(account),
    isWithdrawing: row.is_withdrawing,
  };
}

/** @param except the purchase in question */
export async function surroundings(sql: Reader, orderId: string, except: string): Promise<Surroundings> {
  const others = (await purchasesOf(sql, orderId)).filter(({ purchaseId }) => purchaseId !== except);
  const order = await paidOrder(sql, orderId);
  return {
    isTaken: others.some(({ status }) => status === 'active' || status === 'processing'),
    isStopped: order !== undefined && (order.isRefunded || order.isWithdrawing),
  };
}

const read = (row: Row): PackagePurchase => ({
  purchaseId: row.id,
  orderId: row.order_id,
  photoPackageType: row.photo_package_type,
  priceId: row.price_id,
  amountMinor: Number(row.amount_minor),
  currency: row.currency,
  customer: row.customer,
  language: row.language,
  recipientAccountId: row.recipient_account ?? undefined,
  status: row.status,
  revision: row.revision,
  received: row.received ?? undefined,
  sessionId: row.session_id ?? undefined,
  checkoutUrl: row.checkout_url ?? undefined,
  transactionId: row.transaction_id ?? undefined,
  createdAt: row.created_at,
  purchasedAt: row.purchased_at ?? undefined,
});
