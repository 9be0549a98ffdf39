import type { QueryResultRow } from 'pg';
import { ALL_COLUMNS } from './adapters/postgres/sql/prepared.ts';
import type { Sql, Transaction } from './ports/sql.ts';
import { linkTrace, traceHeaders } from './telemetry/trace.ts';

type Reader = Pick<Sql, 'query'>;

/**
 * Records of one kind that are locked before they are changed, several in one transaction. `Records` need no lock, but
 * change one at a time.
 */
export interface LockedRecords<T> {
  /** SQL that reads all of them, for queries that read more. */
  reading: string;
  /** @param rest SQL after `from <table>`: conditions, order and limit */
  select(sql: Reader, rest: string, values?: readonly unknown[]): Promise<T[]>;
  /** The first that fulfils a condition. It links what is done about it to the trace in which it was added. */
  find(sql: Reader, condition: string, values: readonly unknown[]): Promise<T | undefined>;
  get(sql: Reader, key: string): Promise<T | undefined>;
  /** Like get; locked until the transaction ends. */
  lock(tx: Transaction, key: string): Promise<T | undefined>;
  /** Locks all that fulfil a condition, in the order of their keys, so that two who do never wait for each other. */
  lockAll(tx: Transaction, condition: string, values: readonly unknown[]): Promise<T[]>;
  /** @throws PostgreSQL's error when a unique index refuses one */
  add(tx: Reader, ...records: readonly T[]): Promise<void>;
  /** @returns false when a unique index refuses it */
  tryAdd(tx: Reader, record: T): Promise<boolean>;
  /** Writes records that are locked. */
  put(tx: Reader, ...records: readonly T[]): Promise<void>;
  /**
   * Locks the record, decides, and adds or writes it. Decides again when somebody else adds it meanwhile, so `decide`
   * must be pure. When it returns undefined, nothing is written.
   * @param isNew the record probably does not exist yet, so the first attempt skips reading it
   * @returns what was written; undefined when nothing was. @throws PostgreSQL's error when a unique index refuses it
   */
  change(
    tx: Transaction,
    key: string,
    decide: (current: T | undefined) => T | undefined,
    isNew?: 'is new',
  ): Promise<T | undefined>;
}

export interface LockedTable<T, Row extends QueryResultRow> {
  table: string;
  /** Its primary key, of type text. */
  key: keyof Row & string;
  /** The columns that change. */
  columns: readonly (keyof Row & string)[];
  /** Columns that are written when a record is added and never again. */
  fixed?: readonly (keyof Row & string)[];
  /** More columns to read, such as `(select …) as name`. */
  computed?: string;
  /** The time of the last write. */
  stamped?: string;
  /** As in `TableDefinition`: the table has a column `traceparent`. */
  keepsTrace?: true;
  toRow(record: T): Partial<Row>;
  fromRow(row: Row): T;
}

export function lockedRecords<T extends object, Row extends QueryResultRow>(
  definition: LockedTable<T, Row>,
): LockedRecords<T> {
  const { table, key, columns, fixed = [], computed, stamped, keepsTrace, toRow, fromRow } = definition;
  if (ALL_COLUMNS.test(computed ?? ''))
    throw new Error(`${table}: name the columns, or each read is planned anew`);
  const written = [key, ...fixed, ...columns].join(', ');
  const traced = keepsTrace ? ', traceparent' : '';
  const read = `select ${written}${computed ? `, ${computed}` : ''}${traced} from ${table}`;
  const rows = `jsonb_populate_recordset(null::${table}, $1::jsonb)`;
  const adding = `insert into ${table} (${written}${traced}) select ${written}${traced} from ${rows}`;
  const sets = columns.map((column) => `${column} = r.${column}`);
  if (stamped) sets.push(`${stamped} = now()`);
  const putting = `update ${table} as t set ${sets.join(', ')} from ${rows} as r where t.${key} = r.${key}`;

  const linked = (row: Row | undefined): T | undefined => {
    linkTrace(row?.['traceparent']);
    return row && fromRow(row);
  };
  const select = async (sql: Reader, rest: string, values?: readonly unknown[]): Promise<Row[]> =>
    (await sql.query<Row>(`${read} ${rest}`, values)).rows;

  const add = async (tx: Reader, insert: string, added: readonly T[]): Promise<number> => {
    const trace = keepsTrace && traceHeaders();
    const { rowCount } = await tx.query(insert, [
      JSON.stringify(added.map((record) => ({ ...toRow(record), ...trace }))),
    ]);
    return rowCount!;
  };

  const records: LockedRecords<T> = {
    reading: read,
    select: async (sql, rest, values) => (await select(sql, rest, values)).map(fromRow),
    find: async (sql, condition, values) => linked((await select(sql, `where ${condition}`, values))[0]),
    get: async (sql, id) => linked((await select(sql, `where ${key} = $1`, [id]))[0]),
    lock: async (tx, id) => linked((await select(tx, `where ${key} = $1 for update of ${table}`, [id]))[0]),
    lockAll: (tx, condition, values) =>
      records.select(tx, `where ${condition} order by ${key} for update of ${table}`, values),

    add: async (tx, ...added) => void (added.length > 0 && (await add(tx, adding, added))),
    tryAdd: async (tx, record) => (await add(tx, `${adding} on conflict do nothing`, [record])) === 1,

    async put(tx, ...changed) {
      if (changed.length > 0) await tx.query(putting, [JSON.stringify(changed.map(toRow))]);
    },

    async change(tx, id, decide, isNew) {
      let current = isNew ? undefined : await records.lock(tx, id);
      let next = decide(current);
      if (!current && next) {
        if ((await add(tx, `${adding} on conflict (${key}) do nothing`, [next])) === 1) return next;
        current = await records.lock(tx, id);
        next = decide(current);
      }
      if (next) await records.put(tx, next);
      return next;
    },
  };
  return records;
}
