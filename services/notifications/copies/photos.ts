import type { Sql, Transaction } from '@arboleda/chassis/ports/sql.ts';
import type { EventData } from '@arboleda/contracts/events/index.ts';

export async function keepPhoto(
  tx: Transaction,
  photo: EventData<'photo.uploaded'>,
  eventId: string,
): Promise<void> {
  await tx.query(
    `insert into photos (id, order_id, event_id, filename, uploaded_at) values ($1, $2, $3, $4, $5)
     on conflict do nothing`,
    [photo.photoId, photo.orderId, eventId, photo.filename, photo.uploadedAt],
  );
}

/** Hidden photos are not announced. @param sequence version of the photo; older ones are ignored */
export async function hidePhoto(
  tx: Transaction,
  photoId: string,
  hidden: boolean,
  sequence: number,
): Promise<void> {
  await tx.query(
    'update photos set hidden = $2, hidden_sequence = $3 where id = $1 and hidden_sequence <= $3',
    [photoId, hidden, sequence],
  );
}

export interface UnannouncedPhoto {
  id: string;
  eventId: string;
  filename: string;
}

/** Photos of an order that were not announced yet, in order of arrival; locked until the transaction ends. */
export async function unannouncedPhotos(tx: Transaction, orderId: string): Promise<UnannouncedPhoto[]> {
  const { rows } = await tx.query<{ id: string; event_id: string; filename: string }>(
    `select id, event_id, filename from photos where order_id = $1 and told_by is null and not hidden
     order by uploaded_at, id for update`,
    [orderId],
  );
  return rows.map((row) => ({ id: row.id, eventId: row.event_id, filename: row.filename }));
}

export async function markAnnounced(
  tx: Transaction,
  photoIds: readonly string[],
  mailId: string,
): Promise<void> {
  await tx.query('update photos set told_by = $2 where id = any($1)', [photoIds, mailId]);
}

/** Orders with photos whose announcement is overdue, because its job was lost or gave up. */
export async function ordersWithOverduePhotos(sql: Sql, before: Date): Promise<string[]> {
  const { rows } = await sql.query<{ order_id: string }>(
    'select distinct order_id from photos where told_by is null and not hidden and uploaded_at < $1',
    [before],
  );
  return rows.map((row) => row.order_id);
}
