import type { QueryResult, QueryResultRow } from 'pg';
import { hashOfRow } from './audit.ts';

type Query = <Row extends QueryResultRow>(text: string, values?: unknown[]) => Promise<QueryResult<Row>>;

/** A row that the process log or a backup names: "orders:1204:9f86d0…". */
export interface LoggedRow {
  service: string;
  seq: number;
  hash: string;
}

export function readLogged(text: string): LoggedRow | undefined {
  const [, service = '', seq, hash = ''] = /^([a-z_0-9]+):(\d{1,15}):([0-9a-f]{64})$/.exec(text.trim()) ?? [];
  return seq === undefined ? undefined : { service, seq: Number(seq), hash };
}

export interface Verdict {
  service: string;
  rows: number;
  /** ISO instants of the first and last row. */
  from?: string;
  to?: string;
  /** The last row as the process log names it. */
  last: string;
  /** Sentences, in order of the rows; empty when the log is whole. */
  faults: string[];
}

interface StoredRow {
  seq: string;
  entry: string;
  at: string;
  /** Whether the columns that lists are filtered and sorted by still show what was hashed. */
  shows_entry: boolean;
  previous_hash: string;
  hash: string;
}

const AT_ONCE = 1_000;

/**
 * Reads a service's log from its first row and says what was changed, deleted, inserted or moved. A log that was cut off
 * with its head, or whose hashes were all recomputed, is found by comparing with rows that the process log and backups name.
 * @param query in a repeatable-read transaction
 */
export async function verifyLog(
  query: Query,
  service: string,
  logged: readonly LoggedRow[] = [],
): Promise<Verdict> {
  const schema = `"${service}"`;
  const faults: string[] = [];
  const expected = Map.groupBy(
    logged.filter((one) => one.service === service),
    ({ seq }) => seq,
  );
  let previous = { seq: 0, hash: service, isSound: true };
  let rows = 0;
  let from: string | undefined;
  let to: string | undefined;
  let after = '-9223372036854775808';
  for (;;) {
    const { rows: some } = await query<StoredRow>(
      `select seq, entry::text as entry, at, previous_hash, hash,
         at = entry ->> 'at' and order_id is not distinct from entry ->> 'orderId' as shows_entry
       from ${schema}._audit_log where seq > $1 order by seq limit ${AT_ONCE}`,
      [after],
    );
    for (const row of some) {
      const seq = Number(row.seq);
      const fault = faultOf(row, seq, previous);
      if (seq > previous.seq + 1) faults.push(missing(previous.seq + 1, seq - 1));
      if (fault) faults.push(fault);
      if (expected.get(seq)?.some(({ hash }) => hash !== row.hash))
        faults.push(`row ${seq} is not the one that a log or a backup names: rows up to it were replaced`);
      expected.delete(seq);
      previous = { seq, hash: row.hash, isSound: fault === undefined };
      from ??= row.at;
      to = row.at;
    }
    rows += some.length;
    if (some.length < AT_ONCE) break;
    after = some.at(-1)!.seq;
  }
  faults.push(...(await faultsOfHead(query, schema, previous)));
  const latest = Math.max(0, ...expected.keys());
  if (latest > previous.seq)
    faults.push(`${missing(previous.seq + 1, latest)} at the end: a log or a backup names row ${latest}`);
  return {
    service,
    rows,
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    last: `${service}:${previous.seq}:${previous.hash}`,
    faults,
  };
}

function faultOf(
  row: StoredRow,
  seq: number,
  previous: { seq: number; hash: string; isSound: boolean },
): string | undefined {
  if (hashOfRow(row.previous_hash, seq, row.entry) !== row.hash) return `row ${seq} was changed or moved`;
  if (!row.shows_entry) return `row ${seq} is listed under another time or order than was written`;
  const follows = seq === previous.seq + 1;
  // After a gap or a changed row, the fault is reported already.
  if (follows && previous.isSound && row.previous_hash !== previous.hash)
    return `row ${seq} does not follow row ${seq - 1}: one of them was replaced or inserted`;
  if (seq < 1) return `row ${seq} was inserted before the first`;
  return undefined;
}

async function faultsOfHead(
  query: Query,
  schema: string,
  last: { seq: number; hash: string },
): Promise<string[]> {
  const { rows } = await query<{ seq: string; hash: string }>(`select seq, hash from ${schema}._audit_head`);
  const [head] = rows;
  if (!head) return ['the head of the log is missing'];
  const seq = Number(head.seq);
  if (seq > last.seq) return [`${missing(last.seq + 1, seq)} at the end`];
  if (seq < last.seq) return [`rows after row ${seq} were inserted`];
  return head.hash === last.hash ? [] : ['the head of the log was changed, or the last row was'];
}

const missing = (first: number, last: number): string =>
  first === last ? `row ${first} is missing` : `rows ${first} to ${last} are missing`;
