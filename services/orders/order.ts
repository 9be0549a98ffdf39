import type { Change } from '@arboleda/chassis/ports/documents.ts';
import type { EventData, NewEvent } from '@arboleda/contracts/events/index.ts';
import type { Actor, Coordinates, Customer, Worker } from '@arboleda/contracts/fields.ts';
import type { OrderStatus, PaymentMethod } from '@arboleda/contracts/order.ts';
import type { PackageType } from '@arboleda/contracts/packages.ts';
import type { Language } from '@arboleda/contracts/roles.ts';

/** How far an order has come. Each status holds exactly what is known by then; instants are ISO. */
export type Progress =
  | { status: 'pending' }
  | { status: 'assigned'; assignmentId: string; worker: Worker; assignedAt: string }
  | { status: 'planted'; assignmentId: string; worker: Worker; assignedAt: string; plantedAt: string }
  | {
      status: 'completed';
      assignmentId: string;
      worker: Worker;
      assignedAt: string;
      plantedAt: string;
      completedAt: string;
    };

/** One line of an order's history. Lines are added and never rewritten. */
export type TimelineEntry = { at: string; by: Actor } & (
  | { type: 'paid' | 'created' | 'photo' }
  | { type: 'status_changed'; from: OrderStatus; to: OrderStatus; reason?: string; note?: string }
);

export interface Photo {
  photoId: string;
  filename: string;
  width: number;
  height: number;
  takenAt?: string | undefined;
  uploadedAt: string;
  coordinates?: Coordinates | undefined;
}

export interface Order {
  _id: string;
  /** Whoever holds it may see the order: the private link. */
  token: string;
  /** The customer's address in lower case, by which an account finds its orders. */
  emailKey: string;
  customer: Customer;
  language: Language;
  trees: number;
  packageType: PackageType;
  amountMinor: number;
  currency: EventData<'payment.succeeded'>['currency'];
  region?: string | undefined;
  paymentId: string;
  paymentMethod: PaymentMethod;
  transactionId: string;
  card?: { brand: string; last4: string } | undefined;
  createdAt: string;
  /** Grows by one with every change of status; a decision names the one it was made on. */
  statusRevision: number;
  progress: Progress;
  /** Where the trees stand, as the worker said. */
  location?: string | undefined;
  coordinates?: Coordinates | undefined;
  notes?: string | undefined;
  photos: readonly Photo[];
  timeline: readonly TimelineEntry[];
}

/** What a worker's side reports of an order. */
export type FieldStep = NewEvent<'order.assigned' | 'order.planted' | 'order.completed'>;

const SYSTEM: Actor = { role: 'system' };

/** A payment makes one order; whatever is said of an order that is there already changes nothing. */
export function decideCreation(
  current: Order | undefined,
  payment: EventData<'payment.succeeded'>,
): Change<Order> | undefined {
  if (current) return undefined;
  const { orderId, orderToken, paymentId, paidAt, ...bought } = payment;
  const order: Order = {
    ...bought,
    _id: orderId,
    token: orderToken,
    emailKey: bought.customer.email.toLowerCase(),
    paymentId,
    createdAt: paidAt,
    statusRevision: 0,
    progress: { status: 'pending' },
    photos: [],
    timeline: [
      { at: paidAt, type: 'paid', by: { role: 'customer', name: bought.customer.name } },
      { at: paidAt, type: 'created', by: SYSTEM },
    ],
  };
  const news = { ...bought, orderId, orderToken, statusRevision: 0, createdAt: paidAt };
  return {
    document: order,
    events: [{ type: 'order.created', data: { ...news, status: 'pending' } }],
  };
}

/**
 * Moves an order on when the step was decided on the status it has now. A step decided on an older one is stale and
 * changes nothing; so is one whose number fits but not its status: somebody else took that number first.
 * @throws Error when an earlier event has not arrived yet: to be tried again.
 */
export function decideStep(current: Order | undefined, step: FieldStep): Change<Order> | undefined {
  if (!current) throw notYet(step.data.orderId);
  const { statusRevision, worker, at } = step.data;
  if (statusRevision > current.statusRevision) {
    throw new Error(
      `order ${current._id} is at revision ${current.statusRevision}, not yet ${statusRevision}`,
    );
  }
  const progress = statusRevision === current.statusRevision ? follow(current.progress, step) : undefined;
  if (!progress) return undefined;

  const by: Actor =
    step.type === 'order.assigned' ? SYSTEM : { role: 'worker', id: worker.workerId, name: worker.name };
  const change = { from: current.progress.status, to: progress.status, by, at };
  const note = step.data.notes;
  const moved: Order = {
    ...current,
    ...(step.type === 'order.planted' && placeOf(step.data)),
    ...(note && { notes: note }),
    progress,
    statusRevision: current.statusRevision + 1,
    timeline: [...current.timeline, { ...change, type: 'status_changed', ...(note && { note }) }],
  };
  const { _id: orderId, statusRevision: newRevision } = moved;
  return {
    document: moved,
    events: [{ type: 'order.status_changed', data: { orderId, statusRevision: newRevision, ...change } }],
  };
}

function follow(before: Progress, step: FieldStep): Progress | undefined {
  const { assignmentId, worker, at } = step.data;
  if (step.type === 'order.assigned' && before.status === 'pending') {
    return { status: 'assigned', assignmentId, worker, assignedAt: at };
  }
  if (step.type === 'order.planted' && before.status === 'assigned') {
    return { ...before, status: 'planted', plantedAt: at };
  }
  if (step.type === 'order.completed' && before.status === 'planted') {
    return { ...before, status: 'completed', completedAt: at };
  }
  return undefined;
}

const placeOf = ({ location, coordinates }: EventData<'order.planted'>): Partial<Order> => ({
  ...(location && { location }),
  ...(coordinates && { coordinates }),
});

/**
 * Adds a photo, whatever the status: it may overtake the news of the planting.
 * @throws Error when the order has not arrived yet: to be tried again.
 */
export function decidePhoto(
  current: Order | undefined,
  uploaded: EventData<'photo.uploaded'>,
): Change<Order> | undefined {
  if (!current) throw notYet(uploaded.orderId);
  const { photoId, filename, width, height, takenAt, uploadedAt, coordinates, workerId } = uploaded;
  if (current.photos.some((one) => one.photoId === photoId)) return undefined;
  const photo: Photo = { photoId, filename, width, height, takenAt, uploadedAt, coordinates };
  const entry: TimelineEntry = { at: uploadedAt, type: 'photo', by: { role: 'worker', id: workerId } };
  return {
    document: {
      ...current,
      photos: [...current.photos, photo].sort(
        (a, b) => a.uploadedAt.localeCompare(b.uploadedAt) || a.photoId.localeCompare(b.photoId),
      ),
      timeline: [...current.timeline, entry],
    },
  };
}

/** Where the trees stand: as the worker said, else where the first photo with a position was taken. */
export const coordinatesOf = (order: Order): Coordinates | undefined =>
  order.coordinates ?? order.photos.find((photo) => photo.coordinates)?.coordinates;

/** When the first photo came. */
export const photoDateOf = (order: Order): string | undefined => order.photos[0]?.uploadedAt;

const notYet = (orderId: string): Error => new Error(`order ${orderId} has not been created yet`);
