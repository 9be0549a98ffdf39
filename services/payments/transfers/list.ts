import { cursorOf } from '@arboleda/chassis/http/cursor.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { id, instant } from '@arboleda/contracts/fields.ts';
import type { VerificationStatus } from '@arboleda/contracts/order.ts';
import { z } from 'zod';
import { type EvidenceRow, TRANSFER_COLUMNS, transferOf, type TransferRow } from './store.ts';
import type { OtherOrder, Resemblance, Transfer } from './transfer.ts';

const position = z.tuple([instant, id]);

/** Cursor of a page of transfers: time and id of its last one. Opaque to callers. */
export type Position = z.infer<typeof position>;

export const { encode: encodeCursor, decode: decodeCursor } = cursorOf(position);

interface TransferPage {
  transfers: Transfer[];
  /** Cursor of the next page; undefined on the last one. */
  next?: Position | undefined;
  total: number;
  /** ISO instant. */
  oldestAt?: string | undefined;
}

export interface TransferLists {
  /** Pending transfers are sorted oldest first, others newest first. */
  page(asked: {
    status: VerificationStatus | 'all';
    limit: number;
    after: Position | undefined;
  }): Promise<TransferPage>;
  resemblances(transfers: readonly Transfer[]): Promise<Map<string, Resemblance>>;
}

const MAX_OTHERS = 10;

export function transferLists(sql: Sql): TransferLists {
  async function evidenceOf(ids: readonly string[]): Promise<EvidenceRow[]> {
    const { rows } = await sql.query<EvidenceRow>(
      'select * from transfer_evidence where transfer_id = any($1)',
      [ids],
    );
    return rows;
  }

  return {
    async page({ status, limit, after }) {
      const [direction, beyond] = status === 'pending' ? ['asc', '>'] : ['desc', '<'];
      const ofStatus = `($1 = 'all' or status = $1)`;
      const [{ rows }, { rows: facts }] = await Promise.all([
        sql.query<TransferRow>(
          `select ${TRANSFER_COLUMNS} from transfers
           where ${ofStatus} and ($2::timestamptz is null or (created_at, id) ${beyond} ($2, $3))
           order by created_at ${direction}, id ${direction} limit $4`,
          [status, after ? new Date(after[0]) : null, after?.[1] ?? null, limit + 1],
        ),
        sql.query<{ total: number; oldest: Date | null }>(
          `select count(*)::int as total, min(created_at) as oldest from transfers where ${ofStatus}`,
          [status],
        ),
      ]);
      const shown = rows.slice(0, limit);
      const files = await evidenceOf(shown.map(({ id }) => id));
      const transfers = shown.map((row) => transferOf(row, files));
      const last = transfers.at(-1);
      return {
        transfers,
        next: last && rows.length > limit ? [last.submittedAt, last.purchase.paymentId] : undefined,
        total: facts[0]!.total,
        oldestAt: facts[0]!.oldest?.toISOString(),
      };
    },

    async resemblances(transfers) {
      const ids = transfers.map(({ purchase }) => purchase.paymentId);
      const [files, references] = await Promise.all([
        sql.query<OtherRow & { filename: string }>(SAME_FILES, [ids, MAX_OTHERS]),
        sql.query<OtherRow>(SAME_REFERENCE, [ids, MAX_OTHERS]),
      ]);
      return new Map(
        ids.map((id) => [
          id,
          {
            files: groupOthers(files.rows.filter((row) => row.id === id)),
            reference: references.rows.filter((row) => row.id === id).map(otherOf),
          },
        ]),
      );
    },
  };
}

interface OtherRow {
  id: string;
  order_id: string;
  status: VerificationStatus;
}

const SAME_FILES = `
  select own.transfer_id as id, own.filename, other.order_id, other.status
  from transfer_evidence own cross join lateral (
    select distinct t.order_id, t.status, t.created_at
    from transfer_evidence same join transfers t on t.id = same.transfer_id
    where same.sha256 = own.sha256 and same.transfer_id <> own.transfer_id
    order by t.created_at limit $2
  ) other
  where own.transfer_id = any($1) order by other.created_at`;

const SAME_REFERENCE = `
  select own.id, other.order_id, other.status
  from transfers own cross join lateral (
    select t.order_id, t.status, t.created_at from transfers t
    where t.reference_key = own.reference_key and t.id <> own.id
    order by t.created_at limit $2
  ) other
  where own.id = any($1) order by other.created_at`;

const otherOf = ({ order_id, status }: OtherRow): OtherOrder => ({ orderId: order_id, status });

const groupOthers = (rows: readonly (OtherRow & { filename: string })[]): Map<string, OtherOrder[]> =>
  new Map([...Map.groupBy(rows, (row) => row.filename)].map(([filename, of]) => [filename, of.map(otherOf)]));
