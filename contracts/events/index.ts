import { z } from 'zod';
import {
  actor,
  amountMinor,
  coordinates,
  currency,
  customer,
  evidenceFile,
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
  trees,
  worker,
} from '../fields.ts';
import { envelope, type EventEnvelope } from './envelope.ts';

export type { EventEnvelope };

const define = <Shape extends z.ZodRawShape, Key extends keyof Shape & string>(key: Key, shape: Shape) => ({
  key,
  version: 1,
  data: z.object(shape),
});

/** The status revision an actor saw when deciding; orders refuses a decision on an older one. */
const statusRevision = z.int().min(0);
/** `active`: work may be given to them; not before they have accepted their invitation. */
const workerAccount = { ...worker.shape, language, active: z.boolean(), capacityTrees: z.int().min(0) };
const fieldStep = {
  orderId,
  assignmentId: id,
  statusRevision,
  worker,
  at: instant,
  notes: z.string().optional(),
  /** Who decided it when it was neither the product nor the worker: an admin. */
  by: actor.optional(),
  reason: z.string().optional(),
};
/** Somebody of whatever role to whom a link is mailed. Only notifications can open the token, for the mail to this address. */
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
  orderId,
  paymentId: id,
  method: paymentMethod,
  trees,
  packageType,
  amountMinor,
  currency,
  customer,
  language,
  region: z.string().optional(),
  /** What the buyer of a transfer wrote with it, to be found on the bank's statement. */
  referenceNumber: z.string().optional(),
};
/** Money of the trees, or of a photo package when one is named. */
const money = {
  orderId,
  /** Of the trees; absent when it is a photo package's money. */
  paymentId: id.optional(),
  photoPackage: z
    .object({
      purchaseId: id,
      photoPackageType,
      /** It was paid and never became the order's, such as beside another one. */
      isSurplus: z.literal(true).optional(),
    })
    .optional(),
  /** All that was paid: when refunds and lost disputes reach it, nothing is left. */
  paidMinor: amountMinor,
  currency,
};
const visit = { visitId: id, orderId, purchaseId: id, number: z.int().min(1), of: z.int().min(1) };
const ofPhoto = { orderId, assignmentId: id, photoId: id, filename: z.string() };

/** Every event: topic = its name, key = the field named first. Fields are only ever added. */
export const EVENTS = {
  'customer.registered': define('accountId', {
    accountId: id,
    name: z.string(),
    email: z.string(),
    language,
  }),
  /**
   * A customer asked to be forgotten. `ordersToo`: the address was verified, so the orders of it were theirs; what was
   * paid and planted stays, the person goes.
   */
  'customer.erased': define('accountId', {
    accountId: id,
    email: z.string(),
    ordersToo: z.boolean(),
    at: instant,
  }),
  'email.verification_requested': define('accountId', mailedLink),
  /** `email` is the new address, to which the link goes. */
  'email.change_requested': define('accountId', mailedLink),
  'email.changed': define('accountId', {
    accountId: id,
    role,
    name: z.string(),
    from: z.string(),
    to: z.string(),
    language,
    at: instant,
    /** Whether the old address had been verified: only then were the orders of it theirs. */
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
  /** Two-factor log-in was switched on or off, by its owner or an operator. */
  'second_factor.changed': define('accountId', {
    accountId: id,
    role,
    name: z.string(),
    email: z.string(),
    language,
    enabled: z.boolean(),
    at: instant,
  }),
  'worker.invited': define('accountId', { ...mailedLink, code: z.string() }),
  'worker.registered': define('workerId', workerAccount),
  'worker.updated': define('workerId', workerAccount),

  /** A transfer was announced with its evidence; nobody has seen the money yet. */
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
    /** The admin who saw a transfer's money. */
    approvedBy: actor.optional(),
  }),
  'payment.failed': define('orderId', { orderId, paymentId: id, reason: z.string(), at: instant }),
  /** An admin did not find a transfer's money. */
  'payment.rejected': define('orderId', {
    orderId,
    paymentId: id,
    reason: z.string(),
    by: actor,
    at: instant,
  }),
  'payment.refunded': define('orderId', {
    ...money,
    refundId: id,
    amountMinor,
    /** All refunds of the same money together, this one included. */
    refundedMinor: amountMinor,
    /** Nothing is left. */
    isFull: z.boolean(),
    /** By another way than the one it came. */
    byHand: z.literal(true).optional(),
    reason: z.string(),
    by: actor.optional(),
    at: instant,
  }),
  /** A bank sent back a refund that had been told: the money is still here. */
  'payment.refund_failed': define('orderId', {
    ...money,
    refundId: id,
    amountMinor,
    reason: z.string(),
    at: instant,
  }),
  'payment.disputed': define('orderId', {
    ...money,
    disputeId: id,
    amountMinor,
    reason: z.string(),
    /** As Stripe says: "needs_response", "won", "lost" and others. */
    status: z.string(),
    /** What the bank has taken back for good: 0 unless the dispute is lost. */
    lostMinor: amountMinor,
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
  }),
  /** `stopped`: its money went back, and visits that were not made are cancelled; it is active again when a refund fails. */
  'photo_package.status_changed': define('orderId', {
    orderId,
    purchaseId: id,
    status: z.enum(['active', 'stopped']),
    /** Grows with each change of a purchase's status. */
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
    createdAt: instant,
    card: z.object({ brand: z.string(), last4: z.string() }).optional(),
  }),
  /** What an order says of its purchase, its customer and its place was changed: all of it as it is now. */
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
    /** Names of the fields that changed: "trees", "customer.email". */
    changed: z.array(z.string()),
    by: actor,
    at: instant,
  }),
  'order.assigned': define('orderId', {
    ...fieldStep,
    /** Whom an admin took the order from. */
    previousWorker: worker.optional(),
  }),
  'order.planted': define('orderId', {
    ...fieldStep,
    location: z.string().optional(),
    coordinates: coordinates.optional(),
  }),
  'order.completed': define('orderId', fieldStep),
  /** What orders decided, whoever asked for it: others converge on it. */
  'order.status_changed': define('orderId', {
    orderId,
    statusRevision,
    from: orderStatus,
    to: orderStatus,
    by: actor,
    at: instant,
    reason: z.string().optional(),
    /** The money was given back before anything was planted: nobody is to plant it any more. */
    withdrawn: z.boolean().optional(),
  }),

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
    /** How often the worker was reminded before. */
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
    /** The growth visit it was taken on; absent for photos of the planting. */
    growthVisitId: id.optional(),
    flags: z.array(photoFlag).optional(),
  }),
  'photo.hidden': define('orderId', { ...ofPhoto, by: actor, reason: z.string(), at: instant }),
  'photo.restored': define('orderId', { ...ofPhoto, by: actor, reason: z.string(), at: instant }),
};

export type EventType = keyof typeof EVENTS;
export type EventData<Type extends EventType> = z.infer<(typeof EVENTS)[Type]['data']>;
export type ArboledaEvent<Type extends EventType = EventType> = {
  [T in Type]: EventEnvelope<T, EventData<T>>;
}[Type];

/** An event as a decision states it; the envelope is added where it is stored. */
export type NewEvent<Type extends EventType = EventType> = {
  [T in Type]: { type: T; data: EventData<T> };
}[Type];

// Made once: zod compiles a schema when it first reads with it.
const head = envelope.extend({ type: z.enum(Object.keys(EVENTS) as [EventType]), data: z.unknown() });

/** Validates an event of any origin. @throws ZodError when it is not one of ours; unknown extra fields are dropped. */
export function parseEvent(value: unknown): ArboledaEvent {
  const { data, ...rest } = head.parse(value);
  return { ...rest, data: EVENTS[rest.type].data.parse(data) } as ArboledaEvent;
}

/** The aggregate an event is about. */
export function keyOf(event: NewEvent): string {
  return String((event.data as Record<string, unknown>)[EVENTS[event.type].key]);
}
