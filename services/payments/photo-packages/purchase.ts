import type { Currency } from '@arboleda/contracts/countries.ts';
import type { NewEvent } from '@arboleda/contracts/events/index.ts';
import type { Customer } from '@arboleda/contracts/fields.ts';
import type { PhotoPackageType } from '@arboleda/contracts/packages.ts';
import type { Language } from '@arboleda/contracts/roles.ts';

export type PurchaseStatus =
  /** Stored; Stripe has not answered yet. */
  | 'creating'
  | 'open'
  /** The customer has confirmed; the money is on its way. */
  | 'processing'
  /** Paid: growth updates are or will be made. */
  | 'active'
  | 'completed'
  | 'expired'
  | 'failed'
  /** The amount or currency paid differs from the price. An admin has to look at it. */
  | 'mismatched'
  /** Refunded while active; visits not made yet are cancelled. */
  | 'stopped'
  /** Paid beside another active package, or for an order that is refunded or withdrawn from: refunded automatically. */
  | 'surplus';

export interface PackagePurchase {
  purchaseId: string;
  orderId: string;
  photoPackageType: PhotoPackageType;
  priceId: string;
  /** The price at checkout. */
  amountMinor: number;
  currency: Currency;
  customer: Customer;
  language: Language;
  /** Set when the order is a gift and the account that took it buys. */
  recipientAccountId?: string | undefined;
  status: PurchaseStatus;
  /** Incremented when the purchase stops or becomes active again. */
  revision: number;
  sessionId?: string | undefined;
  checkoutUrl?: string | undefined;
  transactionId?: string | undefined;
  /** Amount and currency paid, of a mismatched purchase. */
  received?: { amountMinor: number; currency: string } | undefined;
  createdAt: Date;
  purchasedAt?: Date | undefined;
}

export interface SessionSnapshot {
  sessionId: string;
  /** From the session's metadata. */
  purchaseId: string | undefined;
  outcome: 'open' | 'processing' | 'paid' | 'expired' | 'failed';
  checkoutUrl: string | undefined;
  amountMinor: number;
  currency: string;
  intentId: string | undefined;
}

export interface Surroundings {
  /** Another package is active, or its payment is processing. */
  isTaken: boolean;
  /** The order is refunded, or its donor is withdrawing. */
  isStopped: boolean;
}

export interface PurchaseDecision {
  purchase: PackagePurchase;
  events: NewEvent[];
}

const OPEN: readonly PurchaseStatus[] = ['creating', 'open', 'processing'];

/** An order has at most one purchase in these statuses. */
export const CURRENT_STATUSES: readonly PurchaseStatus[] = [...OPEN, 'active'];

/** Final for snapshots of a session. An expired session still counts if it was paid after all. */
const isSettled = ({ status }: PackagePurchase): boolean =>
  ['active', 'completed', 'stopped', 'mismatched', 'surplus'].includes(status);

/**
 * Applies a snapshot to a purchase. Snapshots may be repeated, late and out of order.
 * @returns undefined when nothing changes
 */
export function observeSession(
  purchase: PackagePurchase,
  seen: SessionSnapshot,
  around: Surroundings,
  now: Date,
): PurchaseDecision | undefined {
  if (purchase.sessionId !== undefined && purchase.sessionId !== seen.sessionId) return undefined;
  if (isSettled(purchase)) return undefined;
  const become = (status: PurchaseStatus, changes: Partial<PackagePurchase> = {}): PurchaseDecision => ({
    purchase: { ...purchase, sessionId: seen.sessionId, ...changes, status },
    events: [],
  });
  if (seen.outcome === 'paid') return paid(become, purchase, seen, around, now);
  if (!OPEN.includes(purchase.status)) return undefined;
  if (seen.outcome === 'open') {
    return purchase.status === 'creating' ? become('open', { checkoutUrl: seen.checkoutUrl }) : undefined;
  }
  if (seen.outcome === 'processing' && purchase.status === 'processing') return undefined;
  return become(seen.outcome);
}

function paid(
  become: (status: PurchaseStatus, changes: Partial<PackagePurchase>) => PurchaseDecision,
  purchase: PackagePurchase,
  { amountMinor, currency, intentId }: SessionSnapshot,
  around: Surroundings,
  now: Date,
): PurchaseDecision {
  const payment = { transactionId: intentId, purchasedAt: now };
  if (amountMinor !== purchase.amountMinor || currency !== purchase.currency)
    return become('mismatched', { ...payment, received: { amountMinor, currency } });
  if (around.isTaken || around.isStopped) return become('surplus', payment);
  const decision = become('active', payment);
  return { ...decision, events: [purchasedEvent(decision.purchase, now)] };
}

const purchasedEvent = (
  {
    purchaseId,
    orderId,
    photoPackageType,
    amountMinor,
    currency,
    customer,
    language,
    ...rest
  }: PackagePurchase,
  now: Date,
): NewEvent<'photo_package.purchased'> => ({
  type: 'photo_package.purchased',
  data: {
    purchaseId,
    orderId,
    photoPackageType,
    amountMinor,
    currency,
    customer,
    language,
    transactionId: rest.transactionId ?? rest.sessionId!,
    purchasedAt: now.toISOString(),
    ...(rest.recipientAccountId !== undefined && { byRecipient: true as const }),
  },
});

/**
 * Stops a refunded package. Activates it again when a refund fails or a dispute is won, unless another
 * package has replaced it. A completed package stays completed.
 * @returns undefined when nothing changes
 */
export function followAccount(
  purchase: PackagePurchase,
  { isGivenBack, isTaken }: { isGivenBack: boolean; isTaken: boolean },
  now: Date,
): PurchaseDecision | undefined {
  const stops = purchase.status === 'active' && isGivenBack;
  const goesOn = purchase.status === 'stopped' && !isGivenBack && !isTaken;
  if (!stops && !goesOn) return undefined;
  const { purchaseId, orderId } = purchase;
  const status = stops ? 'stopped' : 'active';
  const revision = purchase.revision + 1;
  return {
    purchase: { ...purchase, status, revision },
    events: [
      {
        type: 'photo_package.status_changed',
        data: { orderId, purchaseId, status, revision, at: now.toISOString() },
      },
    ],
  };
}
