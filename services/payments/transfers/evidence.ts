import type { ObjectStore } from '@arboleda/chassis/ports/object-store.ts';
import type { Sql, Transaction } from '@arboleda/chassis/ports/sql.ts';
import { type FieldFault, Problem, type ProblemType } from '@arboleda/contracts/problems.ts';
import { fileTypeFromBuffer } from 'file-type';
import sharp from 'sharp';
import type { Transfer } from './transfer.ts';

/** Accepted types by magic number, and sharp's name for each. SVG is excluded, though sharp reads it. */
const ACCEPTED: Record<string, { contentType: string; format: string }> = {
  'image/jpeg': { contentType: 'image/jpeg', format: 'jpeg' },
  'image/png': { contentType: 'image/png', format: 'png' },
  'image/apng': { contentType: 'image/png', format: 'png' },
  'image/gif': { contentType: 'image/gif', format: 'gif' },
};
/** No camera puts more into 5 MB; more suggests a decompression bomb. */
const MAX_PIXELS = 40_000_000;
/** Interlaced PNGs are decoded as a whole before scaling, in up to 8 bytes a pixel. */
const MAX_INTERLACED_PIXELS = 20_000_000;
/** Enough to read a receipt; a long screenshot keeps its width. */
const VIEW = { widthPixels: 2_000, maxHeightPixels: 12_000, quality: 85 };

export interface HashedFile {
  originalName: string;
  bytes: Buffer;
  sha256: string;
}

export interface ReadImage {
  contentType: string;
  /** A JPEG made by us: upright, first frame only, no metadata. */
  view: Buffer;
}

class ImageRefused extends Error {
  readonly type: ProblemType;
  constructor(type: ProblemType, cause?: unknown) {
    super(type, { cause });
    this.name = 'ImageRefused';
    this.type = type;
  }
}

/** Bounds sharp's memory. Process-wide: one thread per image, and no cache. */
export function boundSharp(): void {
  sharp.cache(false);
  sharp.concurrency(1);
}

/** Reads images one after another, so at most one is decoded at a time. */
export function imageReader(): (
  files: readonly HashedFile[],
  signal: AbortSignal,
) => Promise<(HashedFile & ReadImage)[]> {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(run: () => Promise<T>): Promise<T> => {
    const turn = last.then(run);
    last = turn.catch(() => undefined);
    return turn;
  };
  return (files, signal) => readAll(files, (file) => inTurn(() => readUnlessLeft(file, signal)));
}

/** Skips the files of a caller who has disconnected. */
function readUnlessLeft(file: HashedFile, signal: AbortSignal): Promise<ReadImage> {
  signal.throwIfAborted();
  return readImage(file.bytes);
}

/** @throws Problem of the first kind of fault, naming each faulty file as `evidenceFiles.1` */
async function readAll(
  files: readonly HashedFile[],
  read: (file: HashedFile) => Promise<ReadImage>,
): Promise<(HashedFile & ReadImage)[]> {
  const images: (HashedFile & ReadImage)[] = [];
  const faults: (FieldFault & { type: ProblemType })[] = [];
  for (const [index, file] of files.entries()) {
    try {
      images.push({ ...file, ...(await read(file)) });
    } catch (error) {
      if (!(error instanceof ImageRefused)) throw error;
      faults.push({ path: `evidenceFiles.${index}`, type: error.type });
    }
  }
  if (faults[0]) throw new Problem(faults[0].type, { fields: faults });
  return images;
}

/** Checks an uploaded file and makes the copy that admins look at. @throws ImageRefused */
export async function readImage(bytes: Buffer): Promise<ReadImage> {
  const accepted = ACCEPTED[(await fileTypeFromBuffer(bytes))?.mime ?? ''];
  if (!accepted) throw new ImageRefused('evidence-not-an-image');
  const damaged = (cause: unknown) => {
    throw new ImageRefused('evidence-damaged', cause);
  };
  const metadata = await sharp(bytes, { limitInputPixels: false }).metadata().catch(damaged);
  const { format, width, height, isProgressive } = metadata;
  // The magic number and the decoder disagree: not a genuine photo.
  if (format !== accepted.format) throw new ImageRefused('evidence-not-an-image');
  const maxPixels = format === 'png' && isProgressive ? MAX_INTERLACED_PIXELS : MAX_PIXELS;
  if (width * height > maxPixels) throw new ImageRefused('photo-too-many-pixels');
  const view = await sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
    .autoOrient()
    .resize(VIEW.widthPixels, VIEW.maxHeightPixels, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: 'white' })
    .jpeg({ quality: VIEW.quality })
    .toBuffer()
    .catch(damaged);
  return { contentType: accepted.contentType, view };
}

/** Files without a transfer are deleted after this; longer than any request may take. */
const UNCLAIMED_MS = 15 * 60_000;
/** A claim this close to the deletion is refused, as the sweep may be running. */
const CLAIM_MARGIN_MS = 60_000;
const SWEPT_AT_ONCE = 500;

interface StoredEvidence {
  position: number;
  transferId: string;
}

/**
 * Evidence in the private bucket: always the re-encoded copy. Each object is listed for removal before it is
 * stored and until a transfer claims it, so a crash leaves no orphans.
 */
export interface EvidenceObjects {
  /**
   * Resolves when all are durable. @throws errors of the object store; files stored so far are deleted by the
   * sweep
   */
  keep(transfer: Transfer, images: readonly (HashedFile & ReadImage)[]): Promise<void>;
  /** Runs in the transaction that creates the transfer. @returns false when the files may be deleted already */
  claim(tx: Transaction, transfer: Transfer): Promise<boolean>;
  /** By the filename of the copy; undefined once the files are deleted. */
  find(filename: string): Promise<StoredEvidence | undefined>;
  view(stored: StoredEvidence): ReturnType<ObjectStore['get']>;
  /** Lists the files of transfers for removal and clears their original names. */
  remove(tx: Transaction, transferIds: readonly string[]): Promise<void>;
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
