import { z } from 'zod';
import {
  actor,
  adminRole,
  amountMinor,
  bank,
  coordinates,
  currency,
  customer,
  email,
  evidenceFile,
  gift,
  id,
  instant,
  language,
  orderId,
  orderStatus,
  packageType,
  paymentMethod,
  photoFlag,
  photoPackageType,
  role,
  thanks,
  trees,
  worker,
} from '../fields.ts';
import { auditEntry } from '../audit-entry.ts';
import { CERTIFICATE_REVOCATIONS } from '../order.ts';
import { published } from '../purchase.ts';
import { envelope, type EventEnvelope } from './envelope.ts';

export type { EventEnvelope };

const define = <Shape extends z.ZodRawShape, Key extends keyof Shape & string>(key: Key, shape: Shape) => ({
  key,
  version: 1,
  data: z.object(shape),
});

/** Status revision the actor saw; the orders service refuses decisions on an older one. */
const statusRevision = z.int().min(0);
/** `active`: may receive work; false until the invitation is accepted. */
const workerAccount = { ...worker.shape, language, active: z.boolean(), capacityTrees: z.int().min(0) };
const fieldStep = {
  orderId,
  assignmentId: id,
  statusRevision,
  worker,
  at: instant,
  notes: z.string().optional(),
  /** The deciding admin; absent when the product or the worker decided. */
  by: actor.optional(),
  reason: z.string().optional(),
};
/**
 * An account of any role and its emailed link. Only notifications can decrypt the token, to send it to this address.
 */
const mailedLink = {
  accountId: id,
  role,
  name: z.string(),
  email: z.string(),
  language,
  sealedToken: z.string(),
  expiresAt: instant,
};
const bought = {
  ...published.shape,
  method: paymentMethod,
  region: z.string().optional(),
  /** Reference the buyer wrote on the transfer, for the bank's statement. */
  referenceNumber: z.string().optional(),
};
/** Payment for the trees, or for a photo package when one is named. */
const money = {
  orderId,
  /** Present for the trees; absent for a photo package. */
  paymentId: id.optional(),
  photoPackage: z
    .object({
      purchaseId: id,
      photoPackageType,
      /** Paid but never applied to the order, for example as a duplicate payment. */
      isSurplus: z.literal(true).optional(),
    })
    .optional(),
  /** Total paid: nothing is left once refunds and lost disputes reach it. */
  paidMinor: amountMinor,
  currency,
};
/** Incremented by each change of a gift. */
const giftRevision = z.int().min(1);
const visit = { visitId: id, orderId, purchaseId: id, number: z.int().min(1), of: z.int().min(1) };
const ofPhoto = { orderId, assignmentId: id, photoId: id, filename: z.string() };

/** All events: the topic is the name, the message key the field named first. Fields are only ever added. */
export const EVENTS = {
  'customer.registered': define('accountId', {
    accountId: id,
    name: z.string(),
    email: z.string(),
    language,
  }),
  /**
   * A customer asked for erasure. `ordersToo`: the address was verified, so its orders were theirs; payments and trees
   * remain, personal data is erased.
   */
  'customer.erased': define('accountId', {
    accountId: id,
    email: z.string(),
    ordersToo: z.boolean(),
    at: instant,
  }),
  'email.verification_requested': define('accountId', mailedLink),
  /** `email` is the new address, which receives the link. */
  'email.change_requested': define('accountId', mailedLink),
  'email.changed': define('accountId', {
    accountId: id,
    role,
    name: z.string(),
    from: z.string(),
    to: z.string(),
    language,
    at: instant,
    /** Whether the old address was verified: only then did its orders belong to the account. */
    fromVerified: z.boolean(),
  }),
  'password.reset_requested': define('accountId', mailedLink),
  'password.changed': define('accountId', {
    accountId: id,
    role,
    name: z.string(),
    email: z.string(),
    language,
    at: instant,
  }),
  /** Two-factor login was switched on or off by its owner or an operator. */
  'second_factor.changed': define('accountId', {
    accountId: id,
    role,
    name: z.string(),
    email: z.string(),
    language,
    enabled: z.boolean(),
    at: instant,
  }),
  'admin.invited': define('accountId', { ...mailedLink, adminRole }),
  /** An admin got another role, was deactivated or reactivated. `by` is absent when an operator did it. */
  'admin.role_changed': define('accountId', {
    accountId: id,
    name: z.string(),
    email: z.string(),
    language,
    from: adminRole,
    to: adminRole,
    active: z.boolean(),
    by: actor.optional(),
    at: instant,
  }),
  'worker.invited': define('accountId', { ...mailedLink, code: z.string() }),
  'worker.registered': define('workerId', workerAccount),
  'worker.updated': define('workerId', workerAccount),

  /** A transfer was submitted with its evidence and is not verified yet. */
  'payment.submitted': define('orderId', {
    ...bought,
    evidenceFiles: z.array(evidenceFile),
    submittedAt: instant,
  }),
  'payment.succeeded': define('orderId', {
    ...bought,
    transactionId: z.string(),
    paidAt: instant,
    card: z.object({ brand: z.string(), last4: z.string() }).optional(),
    approvedBy: actor.optional(),
    /** Trees that were asked for, when others were paid by a transfer: `trees` and `amountMinor` count. */
    treesAsked: trees.optional(),
  }),
  'payment.failed': define('orderId', { orderId, paymentId: id, reason: z.string(), at: instant }),
  'payment.rejected': define('orderId', {
    orderId,
    paymentId: id,
    reason: z.string(),
    by: actor,
    at: instant,
  }),
  /** A bank's statement was imported. Amounts are of its credits that were not there before. */
  'statement.imported': define('statementId', {
    statementId: id,
    bank,
    from: z.iso.date(),
    to: z.iso.date(),
    /** Credits of the file, and how many of them are new. */
    credits: z.int().min(0),
    added: z.int().min(0),
    addedMinor: amountMinor,
    currency,
    by: actor,
    at: instant,
  }),
  /** Rows of a bank's statement were linked to a transfer. payment.succeeded follows when it is approved. */
  'transfer.matched': define('orderId', {
    orderId,
    paymentId: id,
    rowIds: z.array(id),
    /** Sum of all rows of the transfer, including these. */
    receivedMinor: amountMinor,
    amountMinor,
    currency,
    by: actor,
    at: instant,
  }),
  'payment.refunded': define('orderId', {
    ...money,
    refundId: id,
    amountMinor,
    /** Sum of all refunds of this payment, including this one. */
    refundedMinor: amountMinor,
    /** Nothing remains to refund. */
    isFull: z.boolean(),
    byHand: z.literal(true).optional(),
    reason: z.string(),
    by: actor.optional(),
    at: instant,
  }),
  /** A bank returned an announced refund: the money is still here. */
  'payment.refund_failed': define('orderId', {
    ...money,
    refundId: id,
    amountMinor,
    reason: z.string(),
    at: instant,
  }),
  /** A refund is under way, or ended without money going back, which is final. payment.refunded says that it went. */
  'payment.refund_status_changed': define('orderId', {
    orderId,
    refundId: id,
    amountMinor,
    currency,
    status: z.enum(['pending', 'failed', 'canceled']),
    at: instant,
  }),
  'payment.disputed': define('orderId', {
    ...money,
    disputeId: id,
    amountMinor,
    reason: z.string(),
    /** Stripe's status: "needs_response", "won", "lost" and others. */
    status: z.string(),
    /** Permanently withdrawn by the bank; 0 unless the dispute is lost. */
    lostMinor: amountMinor,
    at: instant,
  }),
  /**
   * A debit on the bank's statement may be the return of an approved transfer's money: nobody plants the order until
   * payment.return_settled.
   */
  'payment.return_suspected': define('orderId', {
    orderId,
    paymentId: id,
    debitId: id,
    /** The debit's. */
    amountMinor,
    currency,
    day: z.iso.date(),
    at: instant,
  }),
  /** An admin decided on the debit. `wasReturned`: payment.refunded came before. */
  'payment.return_settled': define('orderId', {
    orderId,
    debitId: id,
    wasReturned: z.boolean(),
    by: actor,
    at: instant,
  }),
  'photo_package.purchased': define('orderId', {
    orderId,
    purchaseId: id,
    photoPackageType,
    amountMinor,
    currency,
    transactionId: z.string(),
    customer,
    language,
    purchasedAt: instant,
    /** The order is a gift, and its recipient bought the package. */
    byRecipient: z.literal(true).optional(),
  }),
  /** `stopped`: refunded, and visits not made yet are cancelled; active again when the refund fails. */
  'photo_package.status_changed': define('orderId', {
    orderId,
    purchaseId: id,
    status: z.enum(['active', 'stopped']),
    /** Incremented by every change of the purchase's status. */
    revision: z.int().min(1),
    at: instant,
  }),
  /** The last update of a purchase was made: another package may be bought. */
  'photo_package.completed': define('orderId', { orderId, purchaseId: id, at: instant }),

  'order.created': define('orderId', {
    orderId,
    statusRevision,
    status: orderStatus,
    trees,
    packageType,
    amountMinor,
    currency,
    customer,
    language,
    region: z.string().optional(),
    method: paymentMethod,
    transactionId: z.string(),
    /** "2026-000123" */
    receiptNumber: z.string(),
    createdAt: instant,
    gift: gift.pick({ recipientName: true, deliverOn: true }).optional(),
    card: z.object({ brand: z.string(), last4: z.string() }).optional(),
  }),
  /** Purchase, customer or place of an order changed; carries the complete new state. */
  'order.updated': define('orderId', {
    orderId,
    trees,
    amountMinor,
    currency,
    customer,
    language,
    location: z.string().optional(),
    coordinates: coordinates.optional(),
    notes: z.string().optional(),
    /** Names of the changed fields: "trees", "customer.email". */
    changed: z.array(z.string()),
    by: actor,
    at: instant,
  }),
  'order.assigned': define('orderId', {
    ...fieldStep,
    previousWorker: worker.optional(),
  }),
  'order.planted': define('orderId', {
    ...fieldStep,
    location: z.string().optional(),
    coordinates: coordinates.optional(),
  }),
  'order.completed': define('orderId', fieldStep),
  /** A worker reports a step of an order that was reassigned first. It changes nothing by itself. */
  'order.late_step': define('orderId', {
    orderId,
    assignmentId: id,
    worker: worker.pick({ workerId: true, name: true }),
    step: z.enum(['planted', 'completed']),
    notes: z.string().optional(),
    location: z.string().optional(),
    coordinates: coordinates.optional(),
    at: instant,
  }),
  /** The orders service is the authority on status; other services converge on it. */
  'order.status_changed': define('orderId', {
    orderId,
    statusRevision,
    from: orderStatus,
    to: orderStatus,
    by: actor,
    at: instant,
    reason: z.string().optional(),
    /** Refunded before planting: nobody may plant it any more. */
    withdrawn: z.boolean().optional(),
    /** The donor is withdrawing: nobody may plant it unless they keep it after all. */
    held: z.boolean().optional(),
    /** The bank may have taken the money back; the donor's withdrawal when absent. */
    heldFor: z.literal('return').optional(),
  }),
  /** The donor withdraws in time. A refund of all the money answers it. order.status_changed holds the work. */
  'order.withdrawal_requested': define('orderId', {
    orderId,
    method: paymentMethod,
    requestedAt: instant,
    refundBy: instant,
    /** The price of the trees, for the donor's receipt of the request. */
    amountMinor: amountMinor.optional(),
    currency: currency.optional(),
  }),
  /** The order is kept after all: by its donor, or by an admin whom they asked. */
  'order.withdrawal_retracted': define('orderId', { orderId, by: actor, at: instant }),

  /** `requested`: its donor asked for it; `record`: the order has new facts; `reinstated`: planted after a revocation. */
  'certificate.issued': define('orderId', {
    orderId,
    code: z.string(),
    version: z.int().min(1),
    because: z.enum(['requested', 'record', 'reinstated']),
    at: instant,
  }),
  /** In all its versions; `code` is the newest. */
  'certificate.revoked': define('orderId', {
    orderId,
    code: z.string(),
    cause: z.enum(CERTIFICATE_REVOCATIONS),
    /** The admin's. */
    reason: z.string().optional(),
    at: instant,
  }),

  /**
   * A paid order is a gift, which is to be delivered at `deliverAt`. Each change has a higher revision; the highest counts.
   * A gift is delivered once to an address, however often its day changes, and once more for each one with `again`.
   */
  'gift.scheduled': define('orderId', {
    orderId,
    revision: giftRevision,
    gift: gift.pick({ recipientName: true, recipientEmail: true, message: true, language: true, card: true }),
    /** The buyer's name; absent when it was erased. */
    from: z.string().optional(),
    trees,
    /** Number of the recipient's link; another address has the next one. The token is derived: nobody reads it here. */
    link: z.int().min(1),
    deliverAt: instant,
    /** When the buyer gave this address; an erasure after that includes it. */
    addressedAt: instant.optional(),
    /** The buyer sends it once more. */
    again: z.literal(true).optional(),
    at: instant,
  }),
  /** Refunded in full before its day, or its recipient was erased. */
  'gift.cancelled': define('orderId', { orderId, revision: giftRevision, at: instant }),
  /** A mail server accepted it, or its day came and the buyer hands it over. */
  'gift.delivered': define('orderId', { orderId, revision: giftRevision, at: instant }),
  /** `bounced`: the address does not exist; `refused`: it wants no gifts. */
  'gift.bounced': define('orderId', {
    orderId,
    revision: giftRevision,
    reason: z.enum(['bounced', 'refused']),
    at: instant,
  }),
  /** An account took the gift; its address is verified. */
  'gift.claimed': define('orderId', {
    orderId,
    accountId: id,
    name: z.string(),
    email,
    language,
    at: instant,
  }),
  'gift.thanked': define('orderId', { orderId, text: thanks, from: z.string(), at: instant }),
  /** The recipient wants no more gifts by email, from nobody. */
  'gift.declined': define('orderId', { orderId, at: instant }),

  'growth_visit.scheduled': define('orderId', {
    orderId,
    purchaseId: id,
    photoPackageType,
    visits: z.array(z.object({ ...visit, dueAt: instant })),
    at: instant,
  }),
  'growth_visit.due': define('orderId', {
    ...visit,
    dueAt: instant,
    worker,
    trees,
    location: z.string(),
    reminders: z.int().min(0),
  }),
  'growth_visit.completed': define('orderId', { ...visit, worker, photos: z.int().min(1), at: instant }),

  'photo.uploaded': define('orderId', {
    ...ofPhoto,
    workerId: id,
    width: z.int(),
    height: z.int(),
    takenAt: instant.optional(),
    coordinates: coordinates.optional(),
    uploadedAt: instant,
    /** The growth visit of the photo; absent for photos of the planting. */
    growthVisitId: id.optional(),
    flags: z.array(photoFlag).optional(),
  }),
  'photo.hidden': define('orderId', { ...ofPhoto, by: actor, reason: z.string(), at: instant }),
  'photo.restored': define('orderId', { ...ofPhoto, by: actor, reason: z.string(), at: instant }),

  /** An admin's action in a service that cannot write its audit log in the transaction of the change. */
  'audit.recorded': define('orderId', { orderId, entry: auditEntry }),
};

export type EventType = keyof typeof EVENTS;
export type EventData<Type extends EventType> = z.infer<(typeof EVENTS)[Type]['data']>;
export type ArboledaEvent<Type extends EventType = EventType> = {
  [T in Type]: EventEnvelope<T, EventData<T>>;
}[Type];

/** An event before the store adds its envelope. */
export type NewEvent<Type extends EventType = EventType> = {
  [T in Type]: { type: T; data: EventData<T> };
}[Type];

// Shared because zod compiles a schema on its first use.
const head = envelope.extend({ type: z.enum(Object.keys(EVENTS) as [EventType]), data: z.unknown() });

/** Validates an untrusted event and drops unknown fields. @throws ZodError when it is no event of ours */
export function parseEvent(value: unknown): ArboledaEvent {
  const { data, ...rest } = head.parse(value);
  return { ...rest, data: EVENTS[rest.type].data.parse(data) } as ArboledaEvent;
}

export function keyOf(event: NewEvent): string {
  return String((event.data as Record<string, unknown>)[EVENTS[event.type].key]);
}
