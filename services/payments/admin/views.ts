import type { Api } from '@arboleda/contracts/api.ts';
import type { Customer } from '@arboleda/contracts/fields.ts';
import { shortId } from '@arboleda/contracts/order.ts';
import { type Bank, CARD } from '@arboleda/contracts/payment-method.ts';
import type { Amount, Card, ChargeFacts } from '../cards/payment.ts';
import type { StoredDispute } from '../money/dispute.ts';
import type { PackagePurchase } from '../photo-packages/purchase.ts';
import type { Purchase } from '@arboleda/contracts/purchase.ts';
import { leftMinor, owedMinor, type Refund } from '../money/refund.ts';
import type { PaidAccount } from '../money/store.ts';

export type PaymentView = Api['GET /api/admin/payments/{id}']['response']['payment'];
type ListedView = Api['GET /api/admin/payments']['response']['payments'][number];
type SoldPackage = Api['GET /api/admin/photo-packages']['response']['photoPackages'][number];
export type RefundView = PaymentView['refunds'][number];
type PaymentStatus = ListedView['status'];

export interface PaymentRow {
  id: string;
  order_id: string;
  /** Null for card payments. */
  bank: Bank | null;
  status: PaymentStatus;
  package_type: Purchase['packageType'];
  trees: number;
  amount_minor: string;
  currency: Purchase['currency'];
  customer: Customer;
  language: Purchase['language'];
  locale: string | null;
  quote: Purchase['quote'] | null;
  transaction_id: string | null;
  card: Card | null;
  failure_reason: string | null;
  received: Amount | null;
  paid_at: Date | null;
  charge: ChargeFacts | null;
  created_at: Date;
  refunded_minor: string;
  is_disputed: boolean;
  is_dispute_lost: boolean;
  is_package_refunded: boolean;
}

export const listedView = (row: PaymentRow): ListedView => ({
  paymentId: row.id,
  orderId: row.order_id,
  shortId: shortId(row.order_id),
  status: row.status,
  method: row.bank === null ? CARD : { kind: 'transfer', bank: row.bank },
  packageType: row.package_type,
  trees: row.trees,
  amount: Number(row.amount_minor),
  currency: row.currency,
  refundedAmount: Number(row.refunded_minor),
  isDisputed: row.is_disputed,
  isDisputeLost: row.is_dispute_lost,
  isPackageRefunded: row.is_package_refunded,
  customerName: row.customer.name,
  customerEmail: row.customer.email,
  transactionId: row.transaction_id ?? undefined,
  createdAt: row.created_at.toISOString(),
  paidAt: row.paid_at?.toISOString(),
});

export interface SoldPackageRow {
  id: string;
  order_id: string;
  payment_id: string;
  photo_package_type: SoldPackage['photoPackageType'];
  status: SoldPackage['status'];
  amount_minor: string;
  currency: SoldPackage['currency'];
  refunded_minor: string;
  customer: Customer;
  purchased_at: Date;
}

export const soldPackageView = (row: SoldPackageRow): SoldPackage => ({
  purchaseId: row.id,
  paymentId: row.payment_id,
  orderId: row.order_id,
  shortId: shortId(row.order_id),
  photoPackageType: row.photo_package_type,
  status: row.status,
  amount: Number(row.amount_minor),
  currency: row.currency,
  refundedAmount: Number(row.refunded_minor),
  customerName: row.customer.name,
  customerEmail: row.customer.email,
  purchasedAt: row.purchased_at.toISOString(),
});

export function paymentView(
  row: PaymentRow,
  of: {
    accounts: ReadonlyMap<string, PaidAccount>;
    purchases: readonly PackagePurchase[];
  },
): PaymentView {
  const moneyOf = (id: string) => {
    const account = of.accounts.get(id)!;
    return {
      leftAmount: account.subject.isPaid ? leftMinor(account) : 0,
      toReturnAmount: owedMinor(account),
      refunds: account.refunds.map(refundView),
      disputes: account.disputes.map(disputeView),
    };
  };
  return {
    ...listedView(row),
    language: row.language,
    locale: row.locale ?? undefined,
    quote: row.quote ?? undefined,
    card: row.card ?? undefined,
    failureReason: row.failure_reason ?? undefined,
    received: row.received ? receivedView(row.received) : undefined,
    fee: row.charge ? feeView(row.charge) : undefined,
    receiptUrl: row.charge?.receiptUrl,
    ...moneyOf(row.id),
    photoPackages: of.purchases.map((purchase) => ({
      purchaseId: purchase.purchaseId,
      photoPackageType: purchase.photoPackageType,
      amount: purchase.amountMinor,
      currency: purchase.currency,
      status: purchase.status,
      transactionId: purchase.transactionId,
      createdAt: purchase.createdAt.toISOString(),
      purchasedAt: purchase.purchasedAt?.toISOString(),
      ...(purchase.received && { received: receivedView(purchase.received) }),
      ...moneyOf(purchase.purchaseId),
    })),
  };
}

const receivedView = ({ amountMinor: amount, currency }: Amount) => ({ amount, currency });

const feeView = ({ fee }: ChargeFacts): PaymentView['fee'] => ({
  amount: fee.feeMinor,
  currency: fee.currency,
  netAmount: fee.netMinor,
  exchangeRate: fee.exchangeRate,
});

export const refundView = (refund: Refund): RefundView => ({
  refundId: refund.refundId,
  amount: refund.amountMinor,
  currency: refund.currency,
  reason: refund.reason,
  status: refund.status === 'creating' ? 'pending' : refund.status,
  method: refund.method,
  transactionId: refund.stripeId,
  failureReason: refund.failureReason,
  dismissed: refund.dismissed,
  by: refund.by,
  createdAt: refund.createdAt.toISOString(),
  settledAt: refund.settledAt?.toISOString(),
  debit: refund.debit,
});

const disputeView = (dispute: StoredDispute): PaymentView['disputes'][number] => ({
  disputeId: dispute.disputeId,
  amount: dispute.amountMinor,
  currency: dispute.currency,
  reason: dispute.reason,
  status: dispute.status,
  createdAt: dispute.createdAt.toISOString(),
  updatedAt: dispute.updatedAt.toISOString(),
});
