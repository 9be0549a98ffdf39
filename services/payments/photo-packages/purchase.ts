import type { Currency } from '@arboleda/contracts/countries.ts';
import type { NewEvent } from '@arboleda/contracts/events/index.ts';
import type { Customer } from '@arboleda/contracts/fields.ts';
import type { PhotoPackageType } from '@arboleda/contracts/packages.ts';
import type { Language } from '@arboleda/contracts/roles.ts';

export type PurchaseStatus =
  /** Written down, before Stripe was asked for a checkout session or has answered. */
  | 'creating'
  | 'open'
  /** The customer is done; the money is on its way. */
  | 'processing'
  /** Paid: updates are made, or will be. */
  | 'active'
  | 'completed'
  | 'expired'
  | 'failed'
  /** Something was paid that is not what was asked: for people to look at. */
  | 'mismatched'
  /** It was active until its money went back; visits that were not made are cancelled. */
  | 'stopped'
  /** Paid beside another active package, or for an order that was given back: the money goes back by itself. */
  | 'surplus';

/** The sale of a photo package for an order. */
export interface PackagePurchase {
  purchaseId: string;
  orderId: string;
  photoPackageType: PhotoPackageType;
  priceId: string;
  /** The price as it was asked. */
  amountMinor: number;
  currency: Currency;
  customer: Customer;
  language: Language;
  status: PurchaseStatus;
  /** Counts the times it was stopped, or became active again. */
  revision: number;
  sessionId?: string | undefined;
  checkoutUrl?: string | undefined;
  transactionId?: string | undefined;
  /** What was paid in the place of what was asked, of a mismatched one. */
  received?: { amountMinor: number; currency: string } | undefined;
  createdAt: Date;
  purchasedAt?: Date | undefined;
}

/** What a checkout session of Stripe says. */
export interface SessionSighting {
  sessionId: string;
  /** Ours, from its metadata. */
  purchaseId: string | undefined;
  outcome: 'open' | 'processing' | 'paid' | 'expired' | 'failed';
  checkoutUrl: string | undefined;
  amountMinor: number;
  currency: string;
  intentId: string | undefined;
}

/** What there is about the order besides the purchase. */
export interface Surroundings {
  /** Another package is active, or its money on its way. */
  isTaken: boolean;
  isRefunded: boolean;
}

export interface PurchaseDecision {
  purchase: PackagePurchase;
  events: NewEvent[];
}

const OPEN: readonly PurchaseStatus[] = ['creating', 'open', 'processing'];

/** One purchase of an order at a time is one of these. */
export const CURRENT_STATUSES: readonly PurchaseStatus[] = [...OPEN, 'active'];

/** Nothing that Stripe says of a session changes these. A session that seemed over counts when it was paid after all. */
const isSettled = ({ status }: PackagePurchase): boolean =>
  ['active', 'completed', 'stopped', 'mismatched', 'surplus'].includes(status);

/**
 * What a sighting means for a purchase; sightings come twice, late and in any order.
 * @returns undefined when it is no news.
 */
export function observeSession(
  purchase: PackagePurchase,
  seen: SessionSighting,
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
  { amountMinor, currency, intentId }: SessionSighting,
  around: Surroundings,
  now: Date,
): PurchaseDecision {
  const payment = { transactionId: intentId, purchasedAt: now };
  if (amountMinor !== purchase.amountMinor || currency !== purchase.currency)
    return become('mismatched', { ...payment, received: { amountMinor, currency } });
  if (around.isTaken || around.isRefunded) return become('surplus', payment);
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
  },
});

/**
 * A package whose money went back is stopped. It goes on when a refund fails or a dispute is won after all, unless
 * another one has taken its place. What is completed stays so.
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
