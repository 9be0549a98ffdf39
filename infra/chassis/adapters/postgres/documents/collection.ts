import type pg from 'pg';
import { type OutboxEntry, toEntries } from '../../../outbox/entry.ts';
import type { Outbox } from '../outbox/outbox.ts';
import {
  type Change,
  type ChangeOptions,
  type Collection,
  type CollectionDefinition,
  type Document,
  UniqueViolation,
} from '../../../ports/documents.ts';
import { identifier, LATE } from '../sql/pool.ts';
import { prepared } from '../sql/prepared.ts';
import { openCounting } from './counting.ts';
import type { Folding } from './folding.ts';
import { definedName } from './indexes.ts';
import { unlessGone } from './kept.ts';
import { askLists, listedBy } from './lists.ts';
import { listsOf } from './list-tables.ts';
import { compileQuery } from './query.ts';
import { talliesOf } from './tallies.ts';
import { crashPoint } from '../../../crash-point.ts';

const TRIES = 100;
const LONGEST_PAUSE_MS = 50;
/** How many consumed events a document remembers; a repetition comes soon after the first delivery. */
const CONSUMED_KEPT = 200;
/** After so many changes by this process the rows that they left in tallies are put together, read or not. */
const FOLD_AFTER = 500;

interface Stored<T> {
  doc: T;
  version: number;
  consumed: boolean;
}

/**
 * One kind of document in a table of its own: JSONB under a version, and an outbox row in the same statement.
 * @param parts.keepsCauses see `DocumentsParts`
 */
export function openCollection<T extends Document>(parts: {
  pool: pg.Pool;
  schema: string;
  definition: CollectionDefinition;
  outbox: Outbox;
  folding: Folding;
  clock: () => Date;
  keepsCauses: boolean;
}): Collection<T> {
  const { pool, schema, definition, outbox, folding, clock, keepsCauses } = parts;
  const table = `${identifier(schema)}.${identifier(definition.name)}`;
  const tallies = talliesOf(schema, definition);
  const lists = listsOf(schema, definition);
  const texts = {
    read: readText(table),
    remember: rememberText(table),
    write: { insert: insertText(table, outbox.table), replace: replaceText(table, outbox.table) },
    writeLate: {
      insert: insertText(table, outbox.table, LATE),
      replace: replaceText(table, outbox.table, LATE),
    },
  };
  let changes = 0;

  const read = async (id: string, eventId?: string): Promise<Stored<T> | undefined> => {
    const { rows } = await pool.query<Stored<T>>(prepared(texts.read, [id, eventId ?? null]));
    return rows[0];
  };

  /** @returns false when somebody else wrote between. */
  const write = async (
    id: string,
    stored: Stored<T> | undefined,
    change: Change<T>,
    { eventId, comesAgain = eventId !== undefined }: ChangeOptions,
  ): Promise<boolean> => {
    if (change.document._id !== id)
      throw new Error(`document ${change.document._id} was decided on as ${id}`);
    const version = (stored?.version ?? 0) + 1;
    const entries = toEntries(change.events, change.jobs, version, clock());
    if (entries.length > 0) crashPoint('before-commit');
    const { insert, replace } = comesAgain && keepsCauses ? texts.writeLate : texts.write;
    const { rows } = await pool.query<{ written: boolean; seqs: string[] | null }>(
      prepared(stored ? replace : insert, [
        id,
        JSON.stringify(change.document),
        eventId ?? null,
        JSON.stringify(entries),
        version,
      ]),
    );
    const [result] = rows;
    if (!result?.written) return false;
    if (entries.length > 0) crashPoint('after-commit');
    outbox.committed(pair(result.seqs ?? [], entries));
    if (++changes % FOLD_AFTER === 0) tallies.forEach(folding.due);
    return true;
  };

  /** Nothing is to be changed, but the event shall not be decided on again. */
  const remember = async (id: string, version: number, eventId: string): Promise<boolean> => {
    const { rowCount } = await pool.query(prepared(texts.remember, [id, eventId, version]));
    return rowCount === 1;
  };

  return {
    get: async (id) => (await read(id))?.doc,

    async find(query) {
      const ask = async (kept: typeof lists) => {
        const compiled = compileQuery(table, query, kept);
        const rows = listedBy(kept, query.where)
          ? await askLists<{ doc: T }>(pool, compiled)
          : (await pool.query<{ doc: T }>(compiled.text, compiled.values)).rows;
        return rows.map((row) => row.doc);
      };
      return unlessGone(
        () => ask(lists),
        () => ask([]),
      );
    },

    ...openCounting({ pool, schema, table, tallies, lists, due: folding.due }),

    async change(id, decide, options = {}) {
      const { eventId, isNew } = options;
      const first = isNew ? decide(undefined) : undefined;
      if (first && (await uniquely(definition, () => write(id, undefined, first, options))))
        return first.document;
      for (let tries = 1; tries <= TRIES; tries++) {
        const stored = await read(id, eventId);
        if (stored?.consumed) return stored.doc;
        const change = decide(stored?.doc);
        if (change) {
          if (await uniquely(definition, () => write(id, stored, change, options))) return change.document;
        } else if (!stored || eventId === undefined || (await remember(id, stored.version, eventId))) {
          return stored?.doc;
        }
        await pause(tries);
      }
      throw new Error(`${definition.name} ${id} is being changed by too many at once`);
    },
  };
}

const appended = (place: string) =>
  `(array_append(consumed, ${place}))[greatest(1, cardinality(consumed) + 2 - ${CONSUMED_KEPT}):]`;

const readText = (table: string) =>
  `select doc, version, coalesce($2 = any(consumed), false) as consumed from ${table} where id = $1`;

const rememberText = (table: string) =>
  `update ${table} set consumed = ${appended('$2')} where id = $1 and version = $3`;

/** @param late to be given when the commit is not to be waited for */
const insertText = (table: string, outbox: string, late?: typeof LATE) => `
  with ${late ? `${late}, ` : ''}written as (
    insert into ${table} (id, doc, consumed, version)
    values ($1, $2::jsonb, array_remove(array[$3::text], null), $5)
    on conflict (id) do nothing returning id
  )${answer(outbox, late)}`;

const replaceText = (table: string, outbox: string, late?: typeof LATE) => `
  with ${late ? `${late}, ` : ''}written as (
    update ${table} set doc = $2::jsonb, version = $5,
      consumed = case when $3::text is null then consumed else ${appended('$3::text')} end
    where id = $1 and version = $5 - 1 returning id
  )${answer(outbox, late)}`;

const answer = (outbox: string, late?: typeof LATE) => `, sent as (
    insert into ${outbox} (entry)
    select e.entry from written, jsonb_array_elements($4::jsonb) with ordinality as e(entry, n) order by e.n
    returning seq
  )
  select exists (select from written) as written, (select array_agg(seq order by seq) from sent) as seqs${late ? ' from late' : ''}`;

const pair = (seqs: readonly string[], entries: readonly OutboxEntry[]) =>
  seqs.map((seq, at) => ({ seq, entry: entries[at]! }));

async function uniquely<R>(definition: CollectionDefinition, write: () => Promise<R>): Promise<R> {
  try {
    return await write();
  } catch (error) {
    const { code, constraint } = error as { code?: string; constraint?: string };
    const index = code === '23505' ? definedName(definition, constraint) : undefined;
    throw index === undefined ? error : new UniqueViolation(index);
  }
}

const pause = (tries: number) =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(2 * tries, LONGEST_PAUSE_MS)));
