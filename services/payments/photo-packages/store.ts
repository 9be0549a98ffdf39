import { lockedRecords } from '@arboleda/chassis/locked-records.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import type { Customer } from '@arboleda/contracts/fields.ts';
import type { Language } from '@arboleda/contracts/roles.ts';
import { isGoingBack } from '../money/refund.ts';
import { accountOf } from '../money/store.ts';
import { subjectNamed } from '../money/subject.ts';
import { isWithdrawing } from '../withdrawals.ts';
import { CURRENT_STATUSES, type PackagePurchase, type Surroundings } from './purchase.ts';

type Reader = Pick<Sql, 'query'>;

interface PurchaseRow {
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
  updated_at: Date;
  purchased_at: Date | null;
}

type StoredPurchase = PackagePurchase & { updatedAt: Date };

/** Changed under the lock of their order's packages. */
export const purchases = lockedRecords<StoredPurchase, PurchaseRow>({
  table: 'package_purchases',
  key: 'id',
  fixed: [
    'order_id',
    'photo_package_type',
    'price_id',
    'amount_minor',
    'currency',
    'customer',
    'language',
    'recipient_account',
    'created_at',
  ],
  columns: [
    'status',
    'revision',
    'session_id',
    'checkout_url',
    'transaction_id',
    'received',
    'purchased_at',
    'updated_at',
  ],
  keepsTrace: true,
  toRow: (purchase) => ({
    id: purchase.purchaseId,
    order_id: purchase.orderId,
    photo_package_type: purchase.photoPackageType,
    price_id: purchase.priceId,
    amount_minor: String(purchase.amountMinor),
    currency: purchase.currency,
    customer: purchase.customer,
    language: purchase.language,
    recipient_account: purchase.recipientAccountId ?? null,
    status: purchase.status,
    revision: purchase.revision,
    session_id: purchase.sessionId ?? null,
    checkout_url: purchase.checkoutUrl ?? null,
    transaction_id: purchase.transactionId ?? null,
    received: purchase.received ?? null,
    created_at: purchase.createdAt,
    purchased_at: purchase.purchasedAt ?? null,
    updated_at: purchase.updatedAt,
  }),
  fromRow: (row) => ({
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
    updatedAt: row.updated_at,
  }),
});

export const purchasesOf = (sql: Reader, orderId: string) =>
  purchases.select(sql, 'where order_id = $1 order by created_at, id', [orderId]);

export const currentPurchase = (sql: Reader, orderId: string) =>
  purchases.find(sql, 'order_id = $1 and status = any($2)', [orderId, CURRENT_STATUSES]);

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
