import type { CollectionDefinition, Tally } from '../../../ports/documents.ts';
import { path, sortable } from './conditions.ts';
import { keeperText, keptName, type KeptTable, qualified, registryOf } from './kept.ts';

/** Rises when tables or triggers are made in another way, so that versions do not share what they understand differently. */
const FORMAT = 1;

/** A tally where it is kept. Its rows: a document of the fields of `by`, how many such came or went, and their sums. Rows add up. */
export interface KeptTally extends KeptTable {
  tally: Tally;
  /** Puts some rows together; tells how many. Who comes while another is at it does nothing. */
  fold: string;
}

/** So many rows are put together at a time: a statement that ends soon, however many there are. */
export const FOLDED_AT_ONCE = 10_000;

/** What a definition wants to be kept. @throws when a field or a name is none */
export const talliesOf = (schema: string, { name, tallies = [] }: CollectionDefinition): KeptTally[] =>
  tallies.map((tally) => {
    const { by, sums = [] } = tally;
    const kept = keptName('tally', name, tally.name, [FORMAT, by, sums]);
    const parts = { schema, name: kept, source: qualified(schema, name), tally };
    return {
      ...{ tally, name: kept, table: qualified(schema, kept) },
      ...{ create: createText(parts), fill: fillText(parts), fold: foldText(parts) },
    };
  });

/** The tally that can tell something of `fields` (and the sums of `summed`) without the documents. */
export const tallyFor = (
  tallies: readonly KeptTally[],
  fields: readonly string[],
  summed: readonly string[] = [],
): KeptTally | undefined =>
  tallies.find(
    ({ tally: { by, sums = [] } }) =>
      fields.every((field) => by.includes(field)) && summed.every((field) => sums.includes(field)),
  );

/** Whether rows are found by a field: by the first one alone, as each index costs writers. */
export const isIndexed = ({ by }: Tally, field: string): boolean => field === by[0];

/** The sum of a field over rows of a tally. */
export const sumOf = ({ sums = [] }: Tally, field: string): string => `sum(sums[${sums.indexOf(field) + 1}])`;

interface Parts {
  schema: string;
  name: string;
  source: string;
  tally: Tally;
}

/** Writers only add rows, in the transaction of each write: they wait for nobody, and nobody for them. */
function createText({ schema, name, source, tally }: Parts): string {
  const { by, sums = [] } = tally;
  const table = qualified(schema, name);
  const sumsOf = (doc: string, sign = '') =>
    `array[${sums.map((field) => `${sign}(${numberAt(doc, field)})`).join(', ')}]::numeric[]`;
  const body = `
    declare
      -- Unpacked once.
      was jsonb := case when tg_op <> 'INSERT' then old.doc || '{}' end;
      will jsonb := case when tg_op <> 'DELETE' then new.doc || '{}' end;
      before jsonb := ${keyOf('was', by)};
      after jsonb := ${keyOf('will', by)};
      summed_after numeric[] := ${sumsOf('will')};
    begin
      if tg_op = 'UPDATE' and before = after and ${sumsOf('was')} = summed_after then return null; end if;
      if tg_op <> 'INSERT' then
        insert into ${table} (doc, n, sums) values (before, -1, ${sumsOf('was', '-')});
      end if;
      if tg_op <> 'DELETE' then
        insert into ${table} (doc, n, sums) values (after, 1, summed_after);
      end if;
      return null;
    end`;
  return `
    create table ${table} (
      doc jsonb not null, n bigint not null, sums numeric[] not null, is_folded boolean not null default false
    );
    create index on ${table} ((${sortable(by[0]!)}));
    create index on ${table} (is_folded) where not is_folded;
    ${keeperText({ schema, name, source, body })}`;
}

/** One statement, so one moment: what documents amount to then, less what the tally's rows do. */
function fillText({ schema, name, source, tally: { by, sums = [] } }: Parts): string {
  const table = qualified(schema, name);
  const there = sums.map((field) => `sum(${numberAt('doc', field)})`).join(', ');
  const known = sums.map((_field, at) => `-sum(sums[${at + 1}])`).join(', ');
  return `
    with filled as (
      insert into ${table} (doc, n, sums, is_folded)
      select doc, sum(n), ${added(sums)}, true from (
        select ${keyOf('doc', by)} as doc, count(*) as n, array[${there}]::numeric[] as sums
        -- Unpacked once: without an offset it would be for each field.
        from (select doc || '{}' as doc from ${source} offset 0) as unpacked group by 1
        union all
        select doc, -sum(n), array[${known}]::numeric[] from ${table} group by 1
      ) as every group by 1 having ${isSomething(sums)}
    )
    update ${registryOf(schema)} set is_filled = true where name = '${name}'`;
}

/**
 * Only rows that this statement itself took away are put together, so that it is right whatever else was committed after
 * its snapshot: rows that another one took away meanwhile are not among them.
 */
function foldText({ schema, name, tally: { sums = [] } }: Parts): string {
  const table = qualified(schema, name);
  return `
  with turn as materialized (
    select pg_try_advisory_xact_lock(hashtext('arboleda tally'), hashtext('${schema}.${name}')) as mine
  ),
  fresh as (
    delete from ${table} where ctid = any(array(
      select ctid from ${table} where not is_folded and (select mine from turn) limit ${FOLDED_AT_ONCE}
    )) returning doc, n, sums
  ),
  stale as (delete from ${table} where is_folded and doc in (select doc from fresh) returning doc, n, sums),
  folded as (
    insert into ${table} (doc, n, sums, is_folded)
    select doc, sum(n), ${added(sums)}, true from (table fresh union all table stale) as every
    group by doc having ${isSomething(sums)}
  )
  select count(*)::int as n from fresh`;
}

const added = (sums: readonly string[]): string =>
  `array[${sums.map((_field, at) => `sum(sums[${at + 1}])`).join(', ')}]::numeric[]`;

/** Rows may be put together in parts: none may go that has a sum left, though it counts nothing. */
const isSomething = (sums: readonly string[]): string =>
  ['sum(n) <> 0', ...sums.map((_field, at) => `sum(sums[${at + 1}]) <> 0`)].join(' or ');

const numberAt = (doc: string, field: string): string =>
  `case when jsonb_typeof(${doc} #> '${path(field)}') = 'number' then (${doc} #>> '${path(field)}')::numeric else 0 end`;

/** A document of these fields alone, so that a tally can be asked as its collection is. What is missing stays missing. */
function keyOf(doc: string, fields: readonly string[], prefix = ''): string {
  const heads = [...new Set(fields.map((field) => field.slice(prefix.length).split('.')[0]!))];
  const parts = heads.map((head) => {
    const whole = `${prefix}${head}`;
    const value = `${doc} #> '${path(whole)}'`;
    const inside = fields.filter((field) => field.startsWith(`${whole}.`));
    return fields.includes(whole)
      ? `case when ${value} is null then '{}' else jsonb_build_object('${head}', ${value}) end`
      : `jsonb_build_object('${head}', ${keyOf(doc, inside, `${whole}.`)})`;
  });
  return `(${parts.join(' || ')})`;
}
