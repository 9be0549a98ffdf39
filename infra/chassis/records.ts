import type { NewEvent } from '@arboleda/contracts/events/index.ts';
import type { QueryResultRow } from 'pg';
import { ALL_COLUMNS } from './adapters/postgres/sql/prepared.ts';
import type { Audited } from './audit/audit.ts';
import type { Job } from './ports/jobs.ts';
import type { Sql } from './ports/sql.ts';
import { linkTrace, traceHeaders } from './telemetry/trace.ts';

/** The result of a decision: the new record, and events, jobs and rows of the audit log stored with it. */
export interface Change<T> {
  record: T;
  events?: readonly NewEvent[];
  jobs?: readonly Job[];
  audit?: readonly Audited[];
}

export interface ChangeOptions {
  /** The event that causes the change; a second delivery changes nothing. */
  eventId?: string;
  /** The record probably does not exist yet, so the first attempt skips reading it. */
  isNew?: boolean;
}

/** Records of one kind, each in its own row. */
export interface Records<T> {
  get(id: string): Promise<T | undefined>;
  /**
   * Reads the record, decides, and writes record, events, jobs and event id in one statement. Decides again after a
   * concurrent change or a deadlock, so `decide` must be pure. When it returns undefined, nothing is written but the
   * event id of an existing record.
   * @returns the record afterwards; undefined when there is none
   * @throws what `decide` throws; UniqueViolation when a unique index rejects the record
   */
  change(
    id: string,
    decide: (current: T | undefined) => Change<T> | undefined,
    options?: ChangeOptions,
  ): Promise<T | undefined>;
}

/** Records in a table, with arbitrary queries. */
export interface RecordTable<T> extends Records<T> {
  /** @param rest SQL after `from <table>`: conditions, order and limit */
  select(rest: string, values?: readonly unknown[]): Promise<T[]>;
}

export class UniqueViolation extends Error {
  readonly index: string;
  constructor(index: string) {
    super(`unique index ${index} refuses`);
    this.name = 'UniqueViolation';
    this.index = index;
  }
}

/** Maps records to a table with the columns `id text primary key` and `version integer not null`. */
export interface TableDefinition<T, Row extends QueryResultRow> {
  table: string;
  /** All written columns but `id` and `version`. */
  columns: readonly (keyof Row & string)[];
  idOf(record: T): string;
  toRow(record: T): Row;
  fromRow(row: Row & { id: string }): T;
  /**
   * The table has a column `traceparent text`: the trace in which a record was added. A request or event that reads
   * it by id is linked to that trace.
   */
  keepsTrace?: true;
  /**
   * Other tables that are written in the same statement: common table expressions over `written` (one row if the
   * record was written) and `$3`, the JSON of `value`. `locks` names a step that locks rows and returns some.
   */
  alongside?: { steps: string; locks?: string; value(before: T | undefined, after: T): unknown };
}

const TRIES = 100;
const LONGEST_PAUSE_MS = 50;
const UNIQUE_VIOLATION = '23505';
const DEADLOCK = '40P01';

/** A record with its version, and whether it has consumed the event. */
interface Found<T> {
  record: T;
  version: number;
  isConsumed: boolean;
}

export function openTable<T extends object, Row extends QueryResultRow>(
  sql: Sql,
  definition: TableDefinition<T, Row>,
): RecordTable<T> {
  const { table, columns, idOf, toRow, fromRow, keepsTrace, alongside } = definition;
  const list = columns.join(', ');
  if (alongside && ALL_COLUMNS.test(alongside.steps))
    throw new Error(`${table}: name the columns, or each write is planned anew`);
  const trace = keepsTrace ? ', traceparent' : '';
  const more = alongside ? `, ${alongside.steps}` : '';
  const consumed = `, consumed as (insert into _inbox (event_id) select $${alongside ? 4 : 3} from written)`;
  const row = `jsonb_populate_record(null::${table}, $1::jsonb)`;
  const insert = `written as (
    insert into ${table} (id, version, ${list}${trace}) select id, $2::integer + 1, ${list}${trace} from ${row}
    on conflict (id) do nothing returning id)${more}`;
  const update = `written as (
    update ${table} as t set version = t.version + 1, ${columns.map((column) => `${column} = r.${column}`).join(', ')}
    from ${row} as r where t.id = r.id and t.version = $2::integer returning t.id)${more}`;
  const read = `select id, version, ${list}${trace},
    $2::text is not null and exists (select from _inbox where event_id = $2) as consumed from ${table} where id = $1`;

  const find = async (id: string, inboxId?: string): Promise<Found<T> | undefined> => {
    const { rows } = await sql.prepared<
      Row & { id: string; version: number; consumed: boolean; traceparent?: string | null }
    >(read, [id, inboxId ?? null]);
    const [found] = rows;
    linkTrace(found?.traceparent);
    return found && { record: fromRow(found), version: found.version, isConsumed: found.consumed };
  };

  /** @returns false after a concurrent change, or when the event was consumed meanwhile */
  const write = (
    found: Found<T> | undefined,
    { record, events, jobs, audit }: Change<T>,
    inboxId: string | undefined,
  ): Promise<boolean> => {
    const version = found?.version ?? 0;
    const values = [
      JSON.stringify({ id: idOf(record), ...toRow(record), ...(!found && traceHeaders()) }),
      version,
      ...(alongside ? [JSON.stringify(alongside.value(found?.record, record))] : []),
      ...(inboxId === undefined ? [] : [inboxId]),
    ];
    const steps = (found ? update : insert) + (inboxId === undefined ? '' : consumed);
    return sql
      .write({
        steps,
        values,
        sequence: version + 1,
        ...(alongside?.locks && { locks: alongside.locks }),
        ...(events && { events }),
        ...(jobs && { jobs }),
        ...(audit && { audit }),
      })
      .catch(async (error: unknown) => {
        const { code, constraint } = error as { code?: string; constraint?: string };
        if (code === DEADLOCK) return false;
        if (code !== UNIQUE_VIOLATION) throw error;
        if (constraint === '_inbox_pkey') return false;
        // PostgreSQL reports the other index when two add the same record at the same moment.
        if (!found && (await find(idOf(record)))) return false;
        throw new UniqueViolation(constraint ?? '');
      });
  };

  /** Records the event as consumed although nothing changes. */
  const remember = async (inboxId: string): Promise<void> => {
    await sql.write({
      steps:
        'written as (insert into _inbox (event_id) values ($1) on conflict do nothing returning event_id)',
      values: [inboxId],
    });
  };

  return {
    get: async (id) => (await find(id))?.record,

    async select(rest, values) {
      const { rows } = await sql.query<Row & { id: string }>(
        `select id, ${list} from ${table} ${rest}`,
        values,
      );
      return rows.map(fromRow);
    },

    async change(id, decide, { eventId, isNew } = {}) {
      // An event may be consumed by several records.
      const inboxId = eventId === undefined ? undefined : `${table}:${id}:${eventId}`;
      const decideOn = (current: T | undefined) => {
        const change = decide(current);
        if (change && idOf(change.record) !== id)
          throw new Error(`${table} ${idOf(change.record)} was decided on as ${id}`);
        return change;
      };
      const first = isNew ? decideOn(undefined) : undefined;
      if (first && (await write(undefined, first, inboxId))) return first.record;
      for (let tries = 1; tries <= TRIES; tries++) {
        const found = await find(id, inboxId);
        if (found?.isConsumed) return found.record;
        const change = decideOn(found?.record);
        if (!change) {
          if (found && inboxId !== undefined) await remember(inboxId);
          return found?.record;
        }
        if (await write(found, change, inboxId)) return change.record;
        await pause(tries);
      }
      throw new Error(`${table} ${id} is being changed by too many at once`);
    },
  };
}

const pause = (tries: number) =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(2 * tries, LONGEST_PAUSE_MS)));
