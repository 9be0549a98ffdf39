import type { Query, Where } from '../../../ports/documents.ts';
import { fieldName } from '../../field-name.ts';
import {
  type Compiled,
  compileWhere,
  parameters,
  type Parameter,
  type Scalar,
  sortable,
  sortableValue,
} from './conditions.ts';
import { compileListed, compileOne, foundIn, type KeptList, listedBy, SAMPLED, unlisted } from './lists.ts';

/**
 * What is counted and summed up: `from` where `text`. PostgreSQL unpacks a large document anew for each field that it looks at;
 * of many, as words find them, that is most of the time. They are unpacked once, after all that their list knows.
 * `||` with nothing unpacks and changes nothing; `offset 0` keeps it where it is.
 */
export function compileSource(
  table: string,
  where: Where = {},
  lists: readonly KeptList[] = [],
): Compiled & { from: string } {
  const listed = listedBy(lists, where);
  if (!listed) return { from: table, ...compileWhere(where) };
  const values: unknown[] = [];
  const found = `select id from ${listed.list.table} where ${compileListed(listed, values)}`;
  return {
    from: `(select doc || '{}' as doc from ${table} where id = any(array(${found})) offset 0) as unpacked`,
    ...compileWhere(listed.rest, values),
  };
}

/**
 * Of words PostgreSQL does not know how many documents hold them, and takes one in two hundred for granted. So it looks itself,
 * into the list's sample: up to about so many are read and sorted, of more the first are met soon in the order that is wanted.
 */
const FEW = 2_000;

/** @param table already quoted */
export function compileQuery(table: string, query: Query, lists: readonly KeptList[] = []): Compiled {
  const values: unknown[] = [];
  const parameter = parameters(values);
  const listed = listedBy(lists, query.where);
  const where = compileWhere(listed ? listed.rest : query.where, values);
  const sort = query.sort ?? [];
  const behind = query.after ? ` and ${compileAfter(sort, query.after, parameter)}` : '';
  const order = sort.map(({ field, direction }) => `${sortable(field)} ${ordering(direction)}`).join(', ');
  const limit = query.limit === undefined ? '' : ` limit ${parameter(query.limit)}`;
  const found = query.without?.length
    ? `doc - ${parameter(query.without.map(fieldName))}::text[] as doc`
    : 'doc';
  const page = `${behind}${order ? ` order by ${order}` : ''}${limit}`;
  if (!listed) return { text: `select ${found} from ${table} where ${where.text}${page}`, values };
  const { list } = listed;
  const told = compileListed(listed, values);
  const read = `id = any(array(${foundIn(list, { columns: 'id', where: told })})) and ${where.text}${page}`;
  if (!order || !limit) return { text: `select ${found} from ${table} where ${read}`, values };
  const few = FEW / SAMPLED;
  // `offset 0` has each looked up as it is met.
  const isFound = `exists (${foundIn(list, { columns: '', where: `id = ${table}.id and ${compileOne(listed, values)}` })} offset 0)`;
  return {
    text: `
      with sample as materialized (${foundIn(list, { columns: '', where: told, sampled: true })} limit ${few + 1}),
        counted as materialized (select count(*) <= ${few} as "areFew" from sample)
      (select ${found} from ${table} where (select "areFew" from counted) and ${read})
      union all
      (select ${found} from ${table}
       where not (select "areFew" from counted) and ${isFound} and ${compileWhere(unlisted(listed), values).text}${page})`,
    values,
  };
}

/** Missing is less than everything, as in MongoDB. */
export const ordering = (direction: 'asc' | 'desc') =>
  direction === 'asc' ? 'asc nulls first' : 'desc nulls last';

function compileAfter(
  sort: NonNullable<Query['sort']>,
  after: readonly Scalar[],
  parameter: Parameter,
): string {
  if (sort.length === 0 || sort.length !== after.length)
    throw new Error('`after` has one value for each field of `sort`');
  const keys = sort.map(({ field }) => sortable(field));
  const places = after.map((value) => `${parameter(sortableValue(value))}::jsonb`);
  const operators = sort.map(({ direction }) => (direction === 'asc' ? '>' : '<'));
  if (new Set(operators).size === 1) return `(${keys.join(', ')}) ${operators[0]} (${places.join(', ')})`;
  const steps = keys.map((key, at) =>
    [
      ...keys.slice(0, at).map((earlier, n) => `${earlier} = ${places[n]}`),
      `${key} ${operators[at]} ${places[at]}`,
    ].join(' and '),
  );
  return `(${steps.map((step) => `(${step})`).join(' or ')})`;
}
