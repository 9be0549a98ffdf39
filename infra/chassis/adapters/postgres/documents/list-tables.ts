import type { CollectionDefinition, ListIndex } from '../../../ports/documents.ts';
import { identifier } from '../sql/pool.ts';
import { ordering, path, sortable } from './conditions.ts';
import { keeperText, keptName, type KeptTable, qualified, registryOf } from './kept.ts';

/** Rises when tables or triggers are made in another way, so that versions do not share what they understand differently. */
const FORMAT = 2;

/** What documents hold in a list, in a narrow table of its own: finding and counting them unpacks none. */
export interface KeptList extends KeptTable {
  index: ListIndex;
}

/** What a definition wants to be kept. @throws when a field or a name is none */
export const listsOf = (schema: string, { name, indexes }: CollectionDefinition): KeptList[] =>
  indexes.flatMap((index) => {
    if (!('list' in index)) return [];
    const kept = keptName('list', name, index.name, [FORMAT, index.list, index.by, index.order]);
    const parts = { schema, name: kept, source: qualified(schema, name), index };
    const table = qualified(schema, kept);
    const concurrently = indexesOf(parts, 'concurrently');
    return { index, name: kept, table, create: createText(parts), fill: fillText(parts), concurrently };
  });

/** Filled so many documents at a time; nobody may change one of them meanwhile. */
const FILLED_AT_ONCE = 1_000;

/** One row in so many is in a sample, whose own index of items finds the rows of a common word in as small a part of the time. */
export const SAMPLED = { small: 64, large: 16 } as const;
export type Sample = keyof typeof SAMPLED;
export const isIn = (sample: Sample): string => `hashtextextended(id, 0) & ${SAMPLED[sample] - 1} = 0`;

export const columnOf = (by: readonly string[], field: string): string =>
  field === '_id' ? 'id' : `key_${by.indexOf(field) + 1}`;

/** Words are known by 64 bits: less than most of them weigh, and as good as never taken for each other. */
export const hashOf = (word: string): string => `hashtextextended(${word} collate "C", 0)`;

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

/** Sixteen bits of an item, which lie in the row itself: who reads row by row fetches items only of those that may hold a word. */
export const markOf = (hash: string): string => `((${hash} & 65535) - 32768)::smallint`;

/** The columns of what is counted by, their values, how rows are made of documents (`id` and `doc`), and how one is made anew. */
function columnsOf(index: ListIndex) {
  const { by = [] } = index;
  const keys = by.map((_field, at) => `key_${at + 1}`);
  const valuesOf = (doc: string) => by.map((field) => sortable(field, doc));
  const rowsOf = (documents: string) => `
    select ${['id', 'items', `array(select ${markOf('item')} from unnest(items) as item)`, ...valuesOf('doc')].join(', ')}
    from (select id, doc, ${itemsOf('doc', index)} as items from ${documents} offset 0) as listed`;
  const changes = ['items', 'marks', ...keys].map((key) => `${key} = excluded.${key}`).join(', ');
  return { keys, valuesOf, rowsOf, changes };
}

function indexesOf({ schema, name, index: { by = [], order = {} } }: Parts, how = '') {
  const fields = Object.entries(order).map(
    ([field, direction]) => `${columnOf(by, field)} ${ordering(direction)}`,
  );
  return [
    { name: `${name}_items`, of: 'using gin (items)' },
    { name: `${name}_sample`, of: `using gin (items) where ${isIn('large')}` },
    { name: `${name}_small_sample`, of: `using gin (items) where ${isIn('small')}` },
    ...(fields.length > 0 ? [{ name: `${name}_order`, of: `(${fields.join(', ')})` }] : []),
  ].map((one) => ({
    name: one.name,
    text: `create index ${how} ${identifier(one.name)} on ${qualified(schema, name)} ${one.of}`,
  }));
}

/**
 * Many items lie beside their row, which is short then, and are written anew only when they change; rows have room for new
 * versions of themselves, of which the index of items hears nothing. Documents that are there already are indexed when the
 * table is filled: all at once takes a tenth of the time. Marks stay in the row, unless it has thousands.
 */
function createText(parts: Parts): string {
  const { schema, name, source, index } = parts;
  const table = qualified(schema, name);
  const { keys, valuesOf, rowsOf, changes } = columnsOf(index);
  const columns = keys.map((key) => `, ${key} jsonb`).join('');
  const known = (doc: string) =>
    `row(${(index.by ?? []).map((field) => `${doc} #> '${path(field)}'`).join(', ')})`;
  return `
    create table ${table} (
      id text collate "C" primary key, items bigint[] not null, marks smallint[] not null${columns},
      -- Of a row under 2 kB PostgreSQL moves nothing out, whatever its target. Compressed these are 40 bytes.
      bulk text not null default repeat(' ', 2048)
    ) with (toast_tuple_target = 512, fillfactor = 80);
    alter table ${table} alter column items set storage external, ${['marks', ...keys]
      .map((column) => `alter column ${column} set storage main`)
      .join(', ')};
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
        insert into ${table} ${rowsOf('(select new.id as id, will as doc) as written')}
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
  const { rowsOf, changes } = columnsOf(index);
  return `
    with place as (
      select coalesce(filled_to, '') as at from ${registryOf(schema)} where name = '${name}' and not is_filled
    ),
    part as materialized (
      select id, doc || '{}' as doc from ${source} where id > (select at from place) order by id limit ${FILLED_AT_ONCE}
      for share
    ),
    filled as (
      insert into ${qualified(schema, name)} ${rowsOf('part')}
      on conflict (id) do update set ${changes}
    ),
    progress as (select count(*) < ${FILLED_AT_ONCE} as "isOver", max(id) as "to" from part)
    update ${registryOf(schema)} set
      is_filled = "isOver", filled_to = case when not "isOver" then "to" end
    from progress where name = '${name}' and not is_filled`;
}
