import type { Sql, Transaction } from '@arboleda/chassis/ports/sql.ts';
import type { EventData } from '@arboleda/contracts/events/index.ts';
import type { Language } from '@arboleda/contracts/roles.ts';
import type { Recipient } from './mail.ts';
import type { OrderFacts } from './mails/index.ts';

/** What is kept of an order: whom to write to, and what every mail about it says. */
export interface OrderCopy {
  to: Recipient;
  facts: OrderFacts;
  region: string | undefined;
}

export async function keepOrder(tx: Transaction, order: EventData<'order.created'>): Promise<void> {
  await tx.query(
    `insert into orders (id, token, customer_name, customer_email, language, trees, region)
     values ($1, $2, $3, $4, $5, $6, $7) on conflict (id) do nothing`,
    [
      order.orderId,
      order.orderToken,
      order.customer.name,
      order.customer.email,
      order.language,
      order.trees,
      order.region ?? null,
    ],
  );
}

/** @throws when order.created has not arrived yet: topics are not ordered among each other, the event is tried again. */
export async function requireOrder(tx: Transaction, orderId: string): Promise<OrderCopy> {
  const { rows } = await tx.query<{
    token: string;
    customer_name: string;
    customer_email: string;
    language: Language;
    trees: number;
    region: string | null;
  }>('select token, customer_name, customer_email, language, trees, region from orders where id = $1', [
    orderId,
  ]);
  const row = rows[0];
  if (!row) throw new Error(`order ${orderId} is not known yet`);
  return {
    to: { address: row.customer_email, name: row.customer_name, language: row.language },
    facts: { orderId, orderToken: row.token, trees: row.trees },
    region: row.region ?? undefined,
  };
}

/** Keeps the newest that was heard of a worker. */
export async function keepWorker(
  tx: Transaction,
  worker: { workerId: string; language: Language },
  sequence: number,
): Promise<void> {
  await tx.query(
    `insert into workers (id, language, sequence) values ($1, $2, $3)
     on conflict (id) do update set language = $2, sequence = $3 where workers.sequence <= $3`,
    [worker.workerId, worker.language, sequence],
  );
}

/** Spanish when nothing was heard of the worker yet: the work is in Colombia. */
export async function workerLanguage(tx: Transaction, workerId: string): Promise<Language> {
  const { rows } = await tx.query<{ language: Language }>('select language from workers where id = $1', [
    workerId,
  ]);
  return rows[0]?.language ?? 'es';
}

export async function keepPhoto(
  tx: Transaction,
  photo: EventData<'photo.uploaded'>,
  eventId: string,
): Promise<void> {
  await tx.query(
    `insert into photos (id, order_id, event_id, uploaded_at) values ($1, $2, $3, $4) on conflict do nothing`,
    [photo.photoId, photo.orderId, eventId, photo.uploadedAt],
  );
}

export interface UntoldPhoto {
  id: string;
  eventId: string;
}

/** Photos of an order that no mail has told of, the first to arrive first; held until the transaction ends. */
export async function untoldPhotos(tx: Transaction, orderId: string): Promise<UntoldPhoto[]> {
  const { rows } = await tx.query<{ id: string; event_id: string }>(
    `select id, event_id from photos where order_id = $1 and told_by is null
     order by uploaded_at, id for update`,
    [orderId],
  );
  return rows.map((row) => ({ id: row.id, eventId: row.event_id }));
}

export async function markTold(tx: Transaction, photoIds: readonly string[], mailId: string): Promise<void> {
  await tx.query('update photos set told_by = $2 where id = any($1)', [photoIds, mailId]);
}

/** Orders with photos that should have been told of by now: their job was lost or gave up. */
export async function ordersWithOverduePhotos(sql: Sql, before: Date): Promise<string[]> {
  const { rows } = await sql.query<{ order_id: string }>(
    'select distinct order_id from photos where told_by is null and uploaded_at < $1',
    [before],
  );
  return rows.map((row) => row.order_id);
}
