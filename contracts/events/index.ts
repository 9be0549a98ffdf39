import { z } from 'zod';
import {
  actor, amountMinor, coordinates, currency, customer, id, instant, language, orderId, orderStatus, orderToken,
  packageType, paymentMethod, role, trees, worker,
} from '../fields.ts'; // prettier-ignore
import { envelope, type EventEnvelope } from './envelope.ts';

export type { EventEnvelope };

const define = <Shape extends z.ZodRawShape, Key extends keyof Shape & string>(key: Key, shape: Shape) => ({
  key,
  version: 1,
  data: z.object(shape),
});

/** The status revision an actor saw when deciding; orders refuses a decision on an older one. */
const statusRevision = z.int().min(0);
const workerAccount = { ...worker.shape, language, active: z.boolean(), capacityTrees: z.int().min(0) };
const fieldStep = {
  orderId,
  assignmentId: id,
  statusRevision,
  worker,
  at: instant,
  notes: z.string().optional(),
};

/** Every event: topic = its name, key = the field named first. Fields are only ever added. */
export const EVENTS = {
  'customer.registered': define('accountId', { accountId: id, name: z.string(), email: z.string(), language }),
  'email.verification_requested': define('accountId', {
    accountId: id, role, name: z.string(), email: z.string(), language, token: z.string(), expiresAt: instant,
  }),
  'worker.registered': define('workerId', workerAccount),
  'worker.updated': define('workerId', workerAccount),
  'payment.succeeded': define('orderId', {
    orderId, orderToken, paymentId: id, paymentMethod, transactionId: z.string(), trees, packageType, amountMinor,
    currency, customer, language, region: z.string().optional(), paidAt: instant,
    card: z.object({ brand: z.string(), last4: z.string() }).optional(),
  }),
  'payment.failed': define('orderId', { orderId, paymentId: id, reason: z.string(), at: instant }),
  'order.created': define('orderId', {
    orderId, orderToken, statusRevision, status: orderStatus, trees, packageType, amountMinor, currency, customer,
    language, region: z.string().optional(), paymentMethod, transactionId: z.string(), createdAt: instant,
    card: z.object({ brand: z.string(), last4: z.string() }).optional(),
  }),
  'order.assigned': define('orderId', fieldStep),
  'order.planted': define('orderId', { ...fieldStep, location: z.string().optional(), coordinates: coordinates.optional() }),
  'order.completed': define('orderId', fieldStep),
  /** What orders decided, whoever asked for it: others converge on it. */
  'order.status_changed': define('orderId', {
    orderId, statusRevision, from: orderStatus, to: orderStatus, by: actor, at: instant, reason: z.string().optional(),
  }),
  'photo.uploaded': define('orderId', {
    orderId, assignmentId: id, workerId: id, photoId: id, filename: z.string(), width: z.int(), height: z.int(),
    takenAt: instant.optional(), coordinates: coordinates.optional(), uploadedAt: instant,
  }),
}; // prettier-ignore

export type EventType = keyof typeof EVENTS;
export type EventData<Type extends EventType> = z.infer<(typeof EVENTS)[Type]['data']>;
export type ArboledaEvent<Type extends EventType = EventType> = {
  [T in Type]: EventEnvelope<T, EventData<T>>;
}[Type];

/** An event as a decision states it; the envelope is added where it is stored. */
export type NewEvent<Type extends EventType = EventType> = {
  [T in Type]: { type: T; data: EventData<T> };
}[Type];

/** Validates an event of any origin. @throws ZodError when it is not one of ours; unknown extra fields are dropped. */
export function parseEvent(value: unknown): ArboledaEvent {
  const head = envelope
    .extend({ type: z.enum(Object.keys(EVENTS) as [EventType]), data: z.unknown() })
    .parse(value);
  return { ...head, data: EVENTS[head.type].data.parse(head.data) } as ArboledaEvent;
}

/** The aggregate an event is about. */
export function keyOf(event: NewEvent): string {
  return String((event.data as Record<string, unknown>)[EVENTS[event.type].key]);
}
