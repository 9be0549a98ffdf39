import { lockedRecords } from '@arboleda/chassis/locked-records.ts';
import type { Sql, Transaction } from '@arboleda/chassis/ports/sql.ts';
import type { EventData } from '@arboleda/contracts/events/index.ts';
import type { Coordinates, Worker } from '@arboleda/contracts/fields.ts';
import type { Language } from '@arboleda/contracts/roles.ts';
import type { OrderFacts } from '../mails/index.ts';
import type { Recipient } from '../queue/mail.ts';

/** The copy of an order: recipient, common facts for emails, and worker. */
export interface OrderCopy {
  /** The order's version in its data, or BEFORE_THE_ORDER. */
  sequence: number;
  to: Recipient;
  facts: OrderFacts;
  region: string | undefined;
  place: string | undefined;
  coordinates: Coordinates | undefined;
  statusRevision: number;
  plantedAt: string | undefined;
  /** Nobody is to plant it. */
  withdrawn: boolean;
  /** The donor withdraws, or did. */
  withdraws: boolean;
  /** The status revision of the latest decision on the worker. */
  planterRevision: number;
  planter: Worker | undefined;
}

/** The sequence of data from payments, which has its own versions; anything from orders is newer. */
export const BEFORE_THE_ORDER = -1;

interface OrderRow {
  id: string;
  token: string;
  sequence: number;
  customer_name: string;
  customer_email: string;
  language: Language;
  trees: number;
  region: string | null;
  location: string | null;
  latitude: number | null;
  longitude: number | null;
  status_revision: number;
  planted_at: Date | string | null;
  withdrawn: boolean;
  withdraws: boolean;
  planter_revision: number;
  worker_id: string | null;
  worker_code: string | null;
  worker_name: string | null;
  worker_email: string | null;
  worker_region: string | null;
}

export const orderCopies = lockedRecords<OrderCopy, OrderRow>({
  table: 'orders',
  key: 'id',
  fixed: ['token'],
  columns: [
    'sequence',
    'customer_name',
    'customer_email',
    'language',
    'trees',
    'region',
    'location',
    'latitude',
    'longitude',
    'status_revision',
    'planted_at',
    'withdrawn',
    'withdraws',
    'planter_revision',
    'worker_id',
    'worker_code',
    'worker_name',
    'worker_email',
    'worker_region',
  ],
  toRow: ({ to, facts, planter, ...order }) => ({
    id: facts.orderId,
    token: facts.orderToken,
    sequence: order.sequence,
    customer_name: to.name,
    customer_email: to.address,
    language: to.language,
    trees: facts.trees,
    region: order.region ?? null,
    location: order.place ?? null,
    latitude: order.coordinates?.latitude ?? null,
    longitude: order.coordinates?.longitude ?? null,
    status_revision: order.statusRevision,
    planted_at: order.plantedAt ?? null,
    withdrawn: order.withdrawn,
    withdraws: order.withdraws,
    planter_revision: order.planterRevision,
    worker_id: planter?.workerId ?? null,
    worker_code: planter?.code ?? null,
    worker_name: planter?.name ?? null,
    worker_email: planter?.email ?? null,
    worker_region: planter?.region ?? null,
  }),
  fromRow: (row) => ({
    sequence: row.sequence,
    to: { address: row.customer_email, name: row.customer_name, language: row.language },
    facts: { orderId: row.id, orderToken: row.token, trees: row.trees },
    region: row.region ?? undefined,
    place: row.location ?? undefined,
    coordinates:
      row.latitude === null || row.longitude === null
        ? undefined
        : { latitude: row.latitude, longitude: row.longitude },
    statusRevision: row.status_revision,
    plantedAt: row.planted_at ? new Date(row.planted_at).toISOString() : undefined,
    withdrawn: row.withdrawn,
    withdraws: row.withdraws,
    planterRevision: row.planter_revision,
    planter:
      row.worker_id === null
        ? undefined
        : {
            workerId: row.worker_id,
            code: row.worker_code!,
            name: row.worker_name!,
            email: row.worker_email!,
            region: row.worker_region!,
          },
  }),
});

const NEW = {
  place: undefined,
  coordinates: undefined,
  statusRevision: 0,
  plantedAt: undefined,
  withdrawn: false,
  withdraws: false,
  planterRevision: 0,
  planter: undefined,
};

/**
 * Stores the copy and locks it until the transaction ends.
 * @param sequence version of the order, or BEFORE_THE_ORDER
 * @returns undefined when a newer copy exists
 */
export const keepOrder = (
  tx: Transaction,
  order: Pick<EventData<'payment.submitted'>, 'orderId' | 'customer' | 'language' | 'trees' | 'region'>,
  token: string,
  sequence: number,
): Promise<OrderCopy | undefined> =>
  orderCopies.change(
    tx,
    order.orderId,
    (known) =>
      known && known.sequence >= sequence
        ? undefined
        : {
            ...(known ?? NEW),
            sequence,
            to: recipientOf(order),
            facts: {
              orderId: order.orderId,
              orderToken: known?.facts.orderToken ?? token,
              trees: order.trees,
            },
            region: order.region,
          },
    'is new',
  );

/** @returns the copy; undefined when a newer one exists */
export const updateOrder = (
  tx: Transaction,
  order: EventData<'order.updated'>,
  sequence: number,
): Promise<OrderCopy | undefined> =>
  orderCopies.change(tx, order.orderId, (known) =>
    known && known.sequence <= sequence
      ? {
          ...known,
          sequence,
          to: recipientOf(order),
          facts: { ...known.facts, trees: order.trees },
          place: order.location,
          coordinates: order.coordinates,
        }
      : undefined,
  );

const recipientOf = ({
  customer: { email: address, name },
  language,
}: Pick<EventData<'order.updated'>, 'customer' | 'language'>): Recipient => ({ address, name, language });

export async function knowsOrder(sql: Sql, orderId: string): Promise<boolean> {
  const { rowCount } = await sql.query('select from orders where id = $1', [orderId]);
  return rowCount === 1;
}

/** Locks the copy. @throws an Error when order.created has not arrived yet: topics are not ordered, so the event is retried */
export async function requireOrder(tx: Transaction, orderId: string): Promise<OrderCopy> {
  const order = await orderCopies.lock(tx, orderId);
  if (!order) throw new Error(`order ${orderId} is not known yet`);
  return order;
}
