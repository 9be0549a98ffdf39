import type pg from 'pg';
import type { CollectionDefinition, ListIndex, Where } from '../../../ports/documents.ts';
import { identifier, inTransaction } from '../sql/pool.ts';
import { type Compiled, compileWhere, parameters, path, sortable, wordsAsked } from './conditions.ts';
import { keeperText, keptName, type KeptTable, qualified, registryOf } from './kept.ts';

/** Rises when tables or triggers are made in another way, so that versions do not share what they understand differently. */
const FORMAT = 1;

/** What documents hold in a list, in a narrow table of its own: finding and counting them unpacks none. */
export interface KeptList extends KeptTable {
  index: ListIndex;
}

/** Filled so many documents at a time; nobody may change one of them meanwhile. */
const FILLED_AT_ONCE = 1_000;

/** What a definition wants to be kept. @throws when a field or a name is none */
export const listsOf = (schema: string, { name, indexes }: CollectionDefinition): KeptList[] =>
  indexes.flatMap((index) => {
    if (!('list' in index)) return [];
    const kept = keptName('list', name, index.name, [FORMAT, index.list, index.by ?? []]);
    const parts = { schema, name: kept, source: qualified(schema, name), index };
    const table = qualified(schema, kept);
    const concurrently = indexesOf(parts, 'concurrently');
    return { index, name: kept, table, create: createText(parts), fill: fillText(parts), concurrently };
  });

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
 * would rather look through all rows of a short table.
 */
export const askLists = <R extends pg.QueryResultRow>(
  pool: pg.Pool,
  { text, values }: Compiled,
): Promise<R[]> =>
  inTransaction(
    pool,
    async (client) => (await client.query<R>(text, values)).rows,
    'set local enable_seqscan = off',
  );

/** Whether the list's table itself knows a field. */
export const knows = ({ index }: KeptList, field: string): boolean => index.by?.includes(field) ?? false;
export const keyOf =
  ({ index }: KeptList) =>
  (field: string): string =>
    `key_${index.by!.indexOf(field) + 1}`;

/** Of a row of the list's table: what it can tell of a question by itself. */
export function compileListed(listed: Listed, values: unknown[]): string {
  const sought = `select ${hashOf('word')} from unnest(${parameters(values)(listed.words)}::text[]) as word`;
  return `items @> array(${sought}) and ${compileKnown(listed, values)}`;
}

/** The same of a row that is at hand, which costs less than asking in the words of the index. */
export function compileOne(listed: Listed, values: unknown[]): string {
  const parameter = parameters(values);
  const held = listed.words.map((word) => `${hashOf(`${parameter(word)}::text`)} = any(items)`);
  return `${compileKnown(listed, values)} and ${held.join(' and ')}`;
}

const compileKnown = ({ list, rest }: Listed, values: unknown[]): string => {
  const known = Object.fromEntries(Object.entries(rest).filter(([field]) => knows(list, field)));
  return compileWhere(known, values, keyOf(list)).text;
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

/** One row in so many is in the sample, whose own index of items finds the rows of a common word in as small a part of the time. */
export const SAMPLED = 16;
const isSampled = `hashtextextended(id, 0) & ${SAMPLED - 1} = 0`;

/** What the list's table knows of rows that it finds, or of those of the sample alone. */
export const foundIn = (
  list: KeptList,
  { columns, where, sampled = false }: { columns: string; where: string; sampled?: boolean },
): string => `select ${columns} from ${list.table} where ${where}${sampled ? ` and ${isSampled}` : ''}`;

/**
 * Counts by the list's table alone. Up to a bound the sample is asked first: when it has as many, all rows have.
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
  const count = `select ${textOf('key')} as value, count(*) as figure from`;
  const found = foundIn(list, { columns, where });
  if (atMost === undefined) return { text: `${count} (${found}) as counted group by key`, values };
  const limit = parameters(values)(atMost);
  const text = `
    with sample as materialized (${foundIn(list, { columns, where, sampled: true })} limit ${limit}),
      told as materialized (select count(*) >= ${limit} as "isEnough" from sample)
    ${count} (
      select key from sample where (select "isEnough" from told)
      union all
      (${found} and not (select "isEnough" from told) limit ${limit})
    ) as counted group by key`;
  return { text, values };
}

/** What chassis.sortable made of a value, as it was. */
const textOf = (key: string): string =>
  `case jsonb_typeof(${key}) when 'string' then convert_from(decode(${key} #>> '{}', 'hex'), 'UTF8') else ${key} #>> '{}' end`;

/** Words are known by 64 bits: less than most of them weigh, and as good as never taken for each other. */
const hashOf = (word: string): string => `hashtextextended(${word} collate "C", 0)`;

const itemsOf = (doc: string, { list }: ListIndex): string => `array(
  select ${hashOf('word')} from jsonb_array_elements_text(
    case when jsonb_typeof(${doc} #> '${path(list)}') = 'array' then ${doc} #> '${path(list)}' else '[]' end
  ) as word)`;

interface Parts {
  schema: string;
  name: string;
  source: string;
  index: ListIndex;
}

/** The columns of what is counted by, their values, and how a row is made anew. */
function columnsOf({ by = [] }: ListIndex) {
  const keys = by.map((_field, at) => `key_${at + 1}`);
  const valuesOf = (doc: string) => by.map((field) => sortable(field, doc));
  return { keys, valuesOf, changes: ['items', ...keys].map((key) => `${key} = excluded.${key}`).join(', ') };
}

const indexesOf = ({ schema, name }: Parts, how = '') =>
  [
    { name: `${name}_items`, of: '' },
    { name: `${name}_sample`, of: ` where ${isSampled}` },
  ].map((index) => ({
    name: index.name,
    text: `create index ${how} ${identifier(index.name)} on ${qualified(schema, name)} using gin (items)${index.of}`,
  }));

/**
 * Many items lie beside their row, which is short then, and are written anew only when they change; rows have room for new
 * versions of themselves, of which the index of items hears nothing. Documents that are there already are indexed when the
 * table is filled: all at once takes a tenth of the time.
 */
function createText(parts: Parts): string {
  const { schema, name, source, index } = parts;
  const table = qualified(schema, name);
  const { keys, valuesOf, changes } = columnsOf(index);
  const columns = keys.map((key) => `, ${key} jsonb`).join('');
  const known = (doc: string) =>
    `row(${(index.by ?? []).map((field) => `${doc} #> '${path(field)}'`).join(', ')})`;
  return `
    create table ${table} (
      id text collate "C" primary key, items bigint[] not null${columns},
      -- Of a row under 2 kB PostgreSQL moves nothing out, whatever its target. Compressed these are 40 bytes.
      bulk text not null default repeat(' ', 2048)
    ) with (toast_tuple_target = 256, fillfactor = 80);
    alter table ${table} alter column items set storage external;
    do $$ begin if not exists (select from ${source}) then ${indexesOf(parts)
      .map(({ text }) => `${text};`)
      .join(' ')} end if; end $$;
    ${keeperText({
      ...{ schema, name, source },
      body: `
    declare
      -- Unpacked once.
      was jsonb := case when tg_op = 'UPDATE' then old.doc || '{}' end;
      will jsonb := case when tg_op <> 'DELETE' then new.doc || '{}' end;
    begin
      if tg_op = 'DELETE' then
        delete from ${table} where id = old.id;
      elsif tg_op = 'INSERT' or was #> '${path(index.list)}' is distinct from will #> '${path(index.list)}' then
        insert into ${table} values (${['new.id', itemsOf('will', index), ...valuesOf('will')].join(', ')})
        on conflict (id) do update set ${changes};
      ${
        keys.length === 0
          ? ''
          : `elsif ${known('was')} is distinct from ${known('will')} then
        update ${table} set (${keys.join(', ')}) = row(${valuesOf('will').join(', ')}) where id = new.id;`
      }
      end if;
      return null;
    end`,
    })}`;
}

/** Mends rows that are wrong as well. Documents that are looked at stay as they are until it is committed. */
function fillText({ schema, name, source, index }: Parts): string {
  const { valuesOf, changes } = columnsOf(index);
  return `
    with place as (
      select coalesce(filled_to, '') as at from ${registryOf(schema)} where name = '${name}' and not is_filled
    ),
    part as materialized (
      select id, doc || '{}' as doc from ${source} where id > (select at from place) order by id limit ${FILLED_AT_ONCE}
      for share
    ),
    filled as (
      insert into ${qualified(schema, name)} select ${['id', itemsOf('doc', index), ...valuesOf('doc')].join(', ')} from part
      on conflict (id) do update set ${changes}
    ),
    progress as (select count(*) < ${FILLED_AT_ONCE} as "isOver", max(id) as "to" from part)
    update ${registryOf(schema)} set
      is_filled = "isOver", filled_to = case when not "isOver" then "to" end
    from progress where name = '${name}' and not is_filled`;
}
