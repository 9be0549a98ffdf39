import type { ApiResponse } from '@arboleda/contracts/api.ts';
import type { Actor } from '@arboleda/contracts/fields.ts';
import { shortId } from '@arboleda/contracts/order.ts';
import { coordinatesOf, type Order, photoDateOf, type TimelineEntry } from './order.ts';

type PublicOrder = ApiResponse<'GET /api/track/{token}'>;
type CustomerOrder = ApiResponse<'GET /api/customers/orders'>['orders'][number];
type AdminOrder = ApiResponse<'GET /api/admin/orders/{id}'>['order'];
type ListedOrder = ApiResponse<'GET /api/admin/orders/manage'>['orders'][number];

/** What the private link shows: it may be passed on, so it names nobody in full and gives no contact. */
export function publicView(order: Order): PublicOrder {
  const { progress } = order;
  return {
    ...common(order),
    customerName: firstName(order.customer.name),
    ...(progress.status !== 'pending' && {
      assignedWorker: { name: progress.worker.name, region: progress.worker.region },
    }),
    timeline: story(order).map((entry) => ({ at: entry.at, type: entry.type, ...statusOf(entry) })),
  };
}

/** What its buyer sees in the portal. */
export const customerView = (order: Order): CustomerOrder => ({
  ...publicView(order),
  customerName: order.customer.name,
  customerEmail: order.customer.email,
});

/** Everything but the history: a row of the admin's list. */
export function listView(order: Order): ListedOrder {
  const { customer, progress } = order;
  return {
    ...common(order),
    customerName: customer.name,
    customerEmail: customer.email,
    customerPhone: customer.phone,
    customerCountry: customer.country,
    ...(progress.status !== 'pending' && { assignedWorker: progress.worker }),
    notes: order.notes,
    revision: order.statusRevision,
  };
}

export const adminView = (order: Order): AdminOrder => ({
  ...listView(order),
  timeline: story(order).map((entry) => ({ ...entry, by: named(entry.by, order), ...statusOf(entry) })),
});

function common(order: Order) {
  const { progress, trees, packageType, currency, language, createdAt, location } = order;
  return {
    _id: order._id,
    shortId: shortId(order._id),
    token: order.token,
    status: progress.status,
    amount: order.amountMinor,
    ...{ trees, packageType, currency, language, createdAt, location },
    assignedDate: 'assignedAt' in progress ? progress.assignedAt : undefined,
    plantingDate: 'plantedAt' in progress ? progress.plantedAt : undefined,
    completionDate: 'completedAt' in progress ? progress.completedAt : undefined,
    photoDate: photoDateOf(order),
    coordinates: coordinatesOf(order),
    paymentMethod: order.paymentMethod,
    transactionId: order.transactionId,
    card: order.card,
    photos: order.photos.map(({ photoId: _photoId, ...photo }) => photo),
  };
}

/** Entries are stored as the news came in, which may be out of turn; people read them as things happened. */
const story = (order: Order): TimelineEntry[] => order.timeline.toSorted((a, b) => a.at.localeCompare(b.at));

const statusOf = (entry: TimelineEntry) => (entry.type === 'status_changed' ? { status: entry.to } : {});

/** A photo names its worker by id alone, and may have come before the order knew the worker. */
function named(by: Actor, { progress }: Order): Actor {
  const worker = progress.status === 'pending' ? undefined : progress.worker;
  return by.name === undefined && worker && by.id === worker.workerId ? { ...by, name: worker.name } : by;
}

const firstName = (name: string): string => name.trim().split(/\s+/)[0]!;
