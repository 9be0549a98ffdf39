import type { ObjectStore } from '@arboleda/chassis/ports/object-store.ts';
import type { Sql, Transaction } from '@arboleda/chassis/ports/sql.ts';
import type { HashedFile } from './announcement.ts';
import type { ReadImage } from './images.ts';
import type { Transfer } from './transfer.ts';

/** A file that was not made part of a transfer for so long is nobody's: longer than any request may take. */
const UNCLAIMED_MS = 15 * 60_000;
/** Claimed later than this before its end, the sweep might be at it. */
const CLAIM_MARGIN_MS = 60_000;
const SWEPT_AT_ONCE = 500;

/** Where a picture of a transfer is. */
export interface StoredEvidence {
  position: number;
  transferId: string;
}

/**
 * Evidence in the private bucket: the copy that was made here, never what a stranger sent. An object is listed for
 * removal before it is kept and until a transfer claims it, so that none is forgotten, whatever breaks.
 */
export interface EvidenceObjects {
  /** Resolves when all are durable. @throws what the object store throws; what was kept goes by itself. */
  keep(transfer: Transfer, images: readonly (HashedFile & ReadImage)[]): Promise<void>;
  /** In the transaction that makes the transfer. @returns false when the files may be gone already. */
  claim(tx: Transaction, transfer: Transfer): Promise<boolean>;
  /** By the filename of the copy; nothing once the files were removed. */
  find(filename: string): Promise<StoredEvidence | undefined>;
  view(stored: StoredEvidence): ReturnType<ObjectStore['get']>;
  /** Lists the files of transfers for removal, with what their names tell of people. */
  remove(tx: Transaction, transferIds: readonly string[]): Promise<void>;
  /** Removes what is due. */
  sweep(): Promise<void>;
}

export function evidenceObjects(sql: Sql, objects: ObjectStore, clock: () => Date): EvidenceObjects {
  const later = (ms: number) => new Date(clock().getTime() + ms);
  return {
    async keep({ purchase }, images) {
      const keys = keysOf(purchase.paymentId, images.length);
      await sql.query(`insert into evidence_removals (object_key, due_at) select unnest($1::text[]), $2`, [
        keys,
        later(UNCLAIMED_MS),
      ]);
      for (const [position, { view }] of images.entries()) {
        await objects.put(viewKey(purchase.paymentId, position), view, 'image/jpeg');
      }
    },
    async claim(tx, { purchase, evidence }) {
      const keys = keysOf(purchase.paymentId, evidence.length);
      const { rowCount } = await tx.query(
        'delete from evidence_removals where object_key = any($1) and due_at > $2',
        [keys, later(CLAIM_MARGIN_MS)],
      );
      return rowCount === keys.length;
    },
    async find(filename) {
      const { rows } = await sql.query<FoundRow>(
        `select f.transfer_id, f.position from transfer_evidence f join transfers t on t.id = f.transfer_id
         where f.filename = $1 and t.evidence_removed_at is null`,
        [filename],
      );
      return rows[0] && { transferId: rows[0].transfer_id, position: rows[0].position };
    },
    view: ({ transferId, position }) => objects.get(viewKey(transferId, position)),
    async remove(tx, transferIds) {
      const { rows } = await tx.query<{ transfer_id: string; position: number }>(
        `with removed as (
           update transfers set evidence_removed_at = $2 where id = any($1) and evidence_removed_at is null returning id)
         update transfer_evidence set original_name = '' where transfer_id in (select id from removed)
         returning transfer_id, position`,
        [transferIds, clock()],
      );
      const keys = rows.map(({ transfer_id: id, position }) => viewKey(id, position));
      await tx.query('insert into evidence_removals (object_key, due_at) select unnest($1::text[]), $2', [
        keys,
        clock(),
      ]);
    },
    async sweep() {
      const { rows } = await sql.query<{ object_key: string }>(
        'select object_key from evidence_removals where due_at <= $1 order by due_at limit $2',
        [clock(), SWEPT_AT_ONCE],
      );
      for (const { object_key: key } of rows) {
        await objects.delete(key);
        await sql.query('delete from evidence_removals where object_key = $1', [key]);
      }
    },
  };
}

type FoundRow = { transfer_id: string; position: number };

const viewKey = (transferId: string, position: number) => `evidence/${transferId}/${position}/view.jpg`;

const keysOf = (transferId: string, files: number): string[] =>
  Array.from({ length: files }, (_, position) => viewKey(transferId, position));
