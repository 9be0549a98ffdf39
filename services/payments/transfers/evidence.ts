import type { ObjectStore } from '@arboleda/chassis/ports/object-store.ts';
import type { Sql, Transaction } from '@arboleda/chassis/ports/sql.ts';
import type { HashedFile } from './announcement.ts';
import type { ReadImage } from './images.ts';
import type { EvidenceFile, Transfer } from './transfer.ts';

/** A file that was not made part of a transfer for so long is nobody's: longer than any request may take. */
const UNCLAIMED_MS = 15 * 60_000;
/** Claimed later than this before its end, the sweep might be at it. */
const CLAIM_MARGIN_MS = 60_000;
const SWEPT_AT_ONCE = 500;

/** Where a transfer's files are. */
export interface StoredEvidence {
  file: EvidenceFile;
  /** What people see of the order, for the name under which a file is saved. */
  orderId: string;
  position: number;
  transferId: string;
}

/**
 * Evidence in the private bucket: the original, and the copy that is looked at. An object is listed for removal before it
 * is kept and until a transfer claims it, so that none is forgotten, whatever breaks.
 */
export interface EvidenceObjects {
  /** Resolves when all are durable. @throws what the object store throws; what was kept goes by itself. */
  keep(transfer: Transfer, images: readonly (HashedFile & ReadImage)[]): Promise<void>;
  /** In the transaction that makes the transfer. @returns false when the files may be gone already. */
  claim(tx: Transaction, transfer: Transfer): Promise<boolean>;
  /** By the filename of the copy; nothing once the files were removed. */
  find(filename: string): Promise<StoredEvidence | undefined>;
  view(stored: StoredEvidence): ReturnType<ObjectStore['get']>;
  original(stored: StoredEvidence): ReturnType<ObjectStore['get']>;
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
      for (const [position, { bytes, contentType, view }] of images.entries()) {
        await objects.put(originalKey(purchase.paymentId, position), bytes, contentType);
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
        `select f.*, t.order_id from transfer_evidence f join transfers t on t.id = f.transfer_id
         where f.filename = $1 and t.evidence_removed_at is null`,
        [filename],
      );
      return rows[0] && storedOf(rows[0]);
    },
    view: ({ transferId, position }) => objects.get(viewKey(transferId, position)),
    original: ({ transferId, position }) => objects.get(originalKey(transferId, position)),
    async remove(tx, transferIds) {
      const { rows } = await tx.query<{ transfer_id: string; position: number }>(
        `with removed as (
           update transfers set evidence_removed_at = $2 where id = any($1) and evidence_removed_at is null returning id)
         update transfer_evidence set original_name = '' where transfer_id in (select id from removed)
         returning transfer_id, position`,
        [transferIds, clock()],
      );
      const keys = rows.flatMap(({ transfer_id: id, position }) => [
        originalKey(id, position),
        viewKey(id, position),
      ]);
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

interface FoundRow {
  transfer_id: string;
  order_id: string;
  position: number;
  filename: string;
  original_name: string;
  content_type: string;
  size_bytes: number;
  sha256: string;
}

const storedOf = (row: FoundRow): StoredEvidence => ({
  file: {
    filename: row.filename,
    originalName: row.original_name,
    contentType: row.content_type,
    sizeBytes: row.size_bytes,
    sha256: row.sha256,
  },
  orderId: row.order_id,
  position: row.position,
  transferId: row.transfer_id,
});

const originalKey = (transferId: string, position: number) => `evidence/${transferId}/${position}/original`;
const viewKey = (transferId: string, position: number) => `evidence/${transferId}/${position}/view.jpg`;

const keysOf = (transferId: string, files: number): string[] =>
  Array.from({ length: files }, (_, position) => [
    originalKey(transferId, position),
    viewKey(transferId, position),
  ]).flat();
