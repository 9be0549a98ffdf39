import type pg from 'pg';
import type { Query, Where } from '../../../ports/documents.ts';
import { inTransaction } from '../sql/pool.ts';
import { type Compiled, compileWhere, parameters, wordsAsked } from './conditions.ts';
import { columnOf, hashOf, isIn, type KeptList, markOf, type Sample } from './list-tables.ts';

/** A question by words of a list that is kept. */
export interface Listed {
  list: KeptList;
  words: readonly string[];
  /** What else is asked. */
  rest: Where;
}

/** @returns undefined when no list is asked for that is kept */
export function listedBy(lists: readonly KeptList[], where: Where = {}): Listed | undefined {
  for (const list of lists) {
    const { [list.index.list]: condition, ...rest } = where;
    const words = wordsAsked(condition);
    // More that may be asked of the same field is left to the documents.
    if (words && Object.keys(condition!).length === 1) return { list, words, rest };
  }
  return undefined;
}

/**
 * Asks by indexes alone: items that lie beside their rows cost much to read, which PostgreSQL does not reckon with, so that it
 * would rather look through all rows of a short table. It takes words for rarer than they are as well, and would start helpers
 * for what is found in the time that they take to start.
 */
export const askLists = <R extends pg.QueryResultRow>(
  pool: pg.Pool,
  { text, values }: Compiled,
): Promise<R[]> =>
  inTransaction(
    pool,
    async (client) => (await client.query<R>(text, values)).rows,
    'set local enable_seqscan = off; set local max_parallel_workers_per_gather = 0',
  );

/** Whether the list's table itself knows a field. */
export const knows = ({ index }: KeptList, field: string): boolean => index.by?.includes(field) ?? false;
export const keyOf =
  ({ index: { by = [] } }: KeptList) =>
  (field: string): string =>
    columnOf(by, field);

/** Of a row of the list's table: what it can tell of a question by itself. */
export function compileListed(listed: Listed, values: unknown[]): string {
  const sought = `select ${hashOf('word')} from unnest(${parameters(values)(listed.words)}::text[]) as word`;
  return `items @> array(${sought}) and ${compileKnown(listed, values)}`;
}

/** The same of a row that is at hand, which costs less than asking in the words of the index: most lack a word by their marks. */
export function compileOne(listed: Listed, values: unknown[]): string {
  const parameter = parameters(values);
  const hashes = listed.words.map((word) => hashOf(`${parameter(word)}::text`));
  const marked = hashes.map((hash) => `${markOf(hash)} = any(marks)`);
  const held = hashes.map((hash) => `${hash} = any(items)`);
  return [compileKnown(listed, values), ...marked, ...held].join(' and ');
}

const compileKnown = ({ list, rest }: Listed, values: unknown[]): string => {
  const known = Object.fromEntries(Object.entries(rest).filter(([field]) => knows(list, field)));
  return compileWhere(known, values, { keyOf: keyOf(list) }).text;
};

/**
 * What is still to be asked of documents of which the list has told what it can. Whether a field is there would have them
 * unpacked; the rest may be what an index of theirs begins at.
 */
export const unlisted = ({ list, rest }: Listed): Where =>
  Object.fromEntries(
    Object.entries(rest).filter(
      ([field, condition]) =>
        !(knows(list, field) && typeof condition === 'object' && Object.keys(condition).join() === 'exists'),
    ),
  );

/** Whether the list's table can be read in that order, forwards or backwards. */
export function isOrdered({ index: { order = {} } }: KeptList, sort: NonNullable<Query['sort']>): boolean {
  const fields = Object.keys(order);
  const ways = new Set(sort.map(({ field, direction }) => order[field] === direction));
  return (
    fields.length === sort.length && sort.every(({ field }, at) => field === fields[at]) && ways.size === 1
  );
}

/** What the list's table knows of rows that it finds, or of those of a sample alone. */
export const foundIn = (
  list: KeptList,
  { columns, where, sample }: { columns: string; where: string; sample?: Sample },
): string => `select ${columns} from ${list.table} where ${where}${sample ? ` and ${isIn(sample)}` : ''}`;

/**
 * Counts by the list's table alone. Up to a bound samples are asked first: when one has as many, all rows have.
 * @returns undefined when it does not know all that is asked
 */
export function compileListCount(
  listed: Listed,
  by: string | undefined,
  atMost?: number,
): Compiled | undefined {
  const { list, rest } = listed;
  if (![...Object.keys(rest), ...(by === undefined ? [] : [by])].every((field) => knows(list, field)))
    return undefined;
  const values: unknown[] = [];
  const key = by === undefined ? 'null::jsonb' : keyOf(list)(by);
  const where = `${compileListed(listed, values)}${by === undefined ? '' : ` and ${key} <> 'null'`}`;
  const columns = `${key} as key`;
  const count = `select ${textOf('key')} as value, count(*) as count from`;
  const found = foundIn(list, { columns, where });
  if (atMost === undefined) return { text: `${count} (${found}) as counted group by key`, values };
  const limit = parameters(values)(atMost);
  const foundOf = (sample: Sample) => foundIn(list, { columns, where, sample });
  const isEnough = (sample: Sample) => `(select count(*) >= ${limit} from ${sample})`;
  const text = `
    with small as materialized (${foundOf('small')} limit ${limit}),
      large as materialized (${foundOf('large')} and not ${isEnough('small')} limit ${limit})
    ${count} (
      select key from small where ${isEnough('small')}
      union all
      select key from large where ${isEnough('large')}
      union all
      (${found} and not ${isEnough('small')} and not ${isEnough('large')} limit ${limit})
    ) as counted group by key`;
  return { text, values };
}

/** What chassis.sortable made of a value, as it was. */
const textOf = (key: string): string =>
  `case jsonb_typeof(${key}) when 'string' then convert_from(decode(${key} #>> '{}', 'hex'), 'UTF8') else ${key} #>> '{}' end`;
