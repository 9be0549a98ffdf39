import type { Sql, Transaction } from '@arboleda/chassis/ports/sql.ts';
import type { EventData } from '@arboleda/contracts/events/index.ts';
import type { Coordinates, Worker } from '@arboleda/contracts/fields.ts';
import type { Language } from '@arboleda/contracts/roles.ts';
import type { OrderFacts } from '../mails/index.ts';
import type { Recipient } from '../queue/mail.ts';

/** The copy of an order: recipient, common facts for emails, and worker. */
export interface OrderCopy {
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

/**
 * Stores the copy and locks it until the transaction ends.
 * @param sequence version of the order, or BEFORE_THE_ORDER
 * @returns undefined when a newer copy exists
 */
export async function keepOrder(
  tx: Transaction,
  order: Pick<EventData<'payment.submitted'>, 'orderId' | 'customer' | 'language' | 'trees' | 'region'>,
  token: string,
  sequence: number,
): Promise<OrderCopy | undefined> {
  const { rows } = await tx.query<OrderRow>(
    `insert into orders as known (id, token, customer_name, customer_email, language, trees, region, sequence)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (id) do update set customer_name = excluded.customer_name, customer_email = excluded.customer_email,
       language = excluded.language, trees = excluded.trees, region = excluded.region, sequence = excluded.sequence
     where known.sequence < excluded.sequence
     returning ${COLUMNS}`,
    [
      order.orderId,
      token,
      order.customer.name,
      order.customer.email,
      order.language,
      order.trees,
      order.region ?? null,
      sequence,
    ],
  );
  return rows[0] && readOrder(order.orderId, rows[0]);
}

/** @returns false when a newer copy exists */
export async function updateOrder(
  tx: Transaction,
  order: EventData<'order.updated'>,
  sequence: number,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update orders set customer_name = $2, customer_email = $3, language = $4, trees = $5, location = $6,
       latitude = $7, longitude = $8, sequence = $9
     where id = $1 and sequence <= $9`,
    [
      order.orderId,
      order.customer.name,
      order.customer.email,
      order.language,
      order.trees,
      order.location ?? null,
      order.coordinates?.latitude ?? null,
      order.coordinates?.longitude ?? null,
      sequence,
    ],
  );
  return rowCount === 1;
}

const COLUMNS = `token, customer_name, customer_email, language, trees, region, location, latitude, longitude,
  status_revision, planted_at, withdrawn, withdraws, planter_revision, worker_id, worker_code, worker_name, worker_email, worker_region`;

interface OrderRow {
  token: string;
  customer_name: string;
  customer_email: string;
  language: Language;
  trees: number;
  region: string | null;
  location: string | null;
  latitude: number | null;
  longitude: number | null;
  status_revision: number;
  planted_at: Date | null;
  withdrawn: boolean;
  withdraws: boolean;
  planter_revision: number;
  worker_id: string | null;
  worker_code: string;
  worker_name: string;
  worker_email: string;
  worker_region: string;
}

/** Locks the copy until the transaction ends. @returns undefined for an unknown order */
export async function findOrder(tx: Transaction, orderId: string): Promise<OrderCopy | undefined> {
  const { rows } = await tx.query<OrderRow>(`select ${COLUMNS} from orders where id = $1 for update`, [
    orderId,
  ]);
  const row = rows[0];
  return row && readOrder(orderId, row);
}

export async function knowsOrder(sql: Sql, orderId: string): Promise<boolean> {
  const { rowCount } = await sql.query('select from orders where id = $1', [orderId]);
  return rowCount === 1;
}

/** @throws an Error when order.created has not arrived yet; topics are not ordered, so the event is retried */
export async function requireOrder(tx: Transaction, orderId: string): Promise<OrderCopy> {
  const order = await findOrder(tx, orderId);
  if (!order) throw new Error(`order ${orderId} is not known yet`);
  return order;
}

const readOrder = (orderId: string, row: OrderRow): OrderCopy => ({
  to: { address: row.customer_email, name: row.customer_name, language: row.language },
  facts: { orderId, orderToken: row.token, trees: row.trees },
  region: row.region ?? undefined,
  place: row.location ?? undefined,
  coordinates:
    row.latitude === null || row.longitude === null
      ? undefined
      : { latitude: row.latitude, longitude: row.longitude },
  statusRevision: row.status_revision,
  plantedAt: row.planted_at?.toISOString(),
  withdrawn: row.withdrawn,
  withdraws: row.withdraws,
  planterRevision: row.planter_revision,
  planter:
    row.worker_id === null
      ? undefined
      : {
          workerId: row.worker_id,
          code: row.worker_code,
          name: row.worker_name,
          email: row.worker_email,
          region: row.worker_region,
        },
});

/** Stores the worker; none when absent. @param revision the status revision of the decision */
export async function keepPlanter(
  tx: Transaction,
  orderId: string,
  worker: Worker | undefined,
  revision: number,
): Promise<void> {
  await tx.query(
    `update orders set worker_id = $2, worker_code = $3, worker_name = $4, worker_email = $5, worker_region = $6,
       planter_revision = $7 where id = $1`,
    [
      orderId,
      worker?.workerId ?? null,
      worker?.code ?? null,
      worker?.name ?? null,
      worker?.email ?? null,
      worker?.region ?? null,
      revision,
    ],
  );
}

export async function keepStatus(
  tx: Transaction,
  orderId: string,
  status: Pick<OrderCopy, 'statusRevision' | 'plantedAt' | 'withdrawn' | 'withdraws'>,
): Promise<void> {
  await tx.query(
    'update orders set status_revision = $2, planted_at = $3, withdrawn = $4, withdraws = $5 where id = $1',
    [orderId, status.statusRevision, status.plantedAt ?? null, status.withdrawn, status.withdraws],
  );
}

/** Stores the planting, whose place replaces an earlier one. */
export async function keepPlanting(
  tx: Transaction,
  { orderId, at, location, coordinates }: EventData<'order.planted'>,
): Promise<void> {
  await tx.query(
    `update orders set planted_at = $2, location = coalesce($3, location),
       latitude = coalesce($4, latitude), longitude = coalesce($5, longitude) where id = $1`,
    [orderId, at, location ?? null, coordinates?.latitude ?? null, coordinates?.longitude ?? null],
  );
}
