import type { Query, Where } from '../../../ports/documents.ts';
import { fieldName } from '../../field-name.ts';
import {
  type Compiled,
  compileWhere,
  ordering,
  parameters,
  type Parameter,
  type Scalar,
  sortable,
  sortableValue,
} from './conditions.ts';
import { type KeptList, SAMPLED } from './list-tables.ts';
import { compileListed, compileOne, foundIn, isOrdered, keyOf, knows, listedBy, unlisted } from './lists.ts';

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
 * into the list's small sample: up to about so many are read and sorted; of more the first are met soon in the order that is
 * wanted, and each is looked up in the list. Rows of the list weigh a small part of what documents do. In an order in which the
 * list does not lie documents would be met, and where it goes against the words, late: who sorts by name all who are called
 * María would have all before them looked up.
 */
const FEW = { documents: 2_000, rows: 4_000, rowsBeforeDocuments: 100_000 };

/** @param table already quoted */
export function compileQuery(table: string, query: Query, lists: readonly KeptList[] = []): Compiled {
  const values: unknown[] = [];
  const parameter = parameters(values);
  const listed = listedBy(lists, query.where);
  const found = query.without?.length
    ? `doc - ${parameter(query.without.map(fieldName))}::text[] as doc`
    : 'doc';
  const limit = query.limit === undefined ? '' : ` limit ${parameter(query.limit)}`;
  const pageOf = (by: SortedBy) => compilePage(query, by, parameter);
  const whole = (where: Where = {}) => `${compileWhere(where, values).text}${pageOf(BY_DOCUMENT)}${limit}`;
  if (!listed) return { text: `select ${found} from ${table} where ${whole(query.where)}`, values };
  const { list, rest } = listed;
  const told = compileListed(listed, values);
  const ids = `array(${foundIn(list, { columns: 'id', where: told })})`;
  if (!query.sort?.length || !limit)
    return { text: `select ${found} from ${table} where id = any(${ids}) and ${whole(rest)}`, values };
  // What the list can sort by itself is read when it is known which they are.
  const isSorted =
    Object.keys(rest).every((field) => knows(list, field)) &&
    query.sort.every(({ field }) => field === '_id' || knows(list, field));
  const isInOrder = isSorted && isOrdered(list, query.sort);
  const few = !isSorted ? FEW.documents : isInOrder ? FEW.rows : FEW.rowsBeforeDocuments;
  const most = Math.floor(few / SAMPLED.small);
  const read = (page: string, when: string) => `
    select ${found} from ${table} join unnest(array(${page})) with ordinality as place(found, nth) on id = found
    where ${when} order by nth`;
  const page = isSorted ? `${pageOf(byList(list))}${limit}` : '';
  // `offset 0`: by words, before anything is sorted. PostgreSQL would look for a rare word in the order that is wanted.
  const rowsOfFew = () => {
    const columns = [...new Set(['id', ...query.sort!.map(({ field }) => keyOf(list)(field))])].join(', ');
    return `select id from (${foundIn(list, { columns, where: told })} offset 0) as few where true`;
  };
  const ofFew = isSorted
    ? read(`${rowsOfFew()}${page}`, ARE_FEW)
    : `select ${found} from ${table} where ${ARE_FEW} and id = any(${ids}) and ${whole(rest)}`;
  const one = compileOne(listed, values);
  // `offset 0` has each looked up as it is met.
  const isFound = () =>
    `exists (${foundIn(list, { columns: '', where: `id = ${table}.id and ${one}` })} offset 0)`;
  const ofMany = isInOrder
    ? read(foundIn(list, { columns: 'id', where: `${one}${page}` }), `not ${ARE_FEW}`)
    : `select ${found} from ${table} where not ${ARE_FEW} and ${isFound()} and ${whole(unlisted(listed))}`;
  return {
    text: `
      with sample as materialized (${foundIn(list, { columns: '', where: told, sample: 'small' })} limit ${most + 1}),
        counted as materialized (select count(*) <= ${most} as "areFew" from sample)
      (${ofFew})
      union all
      (${ofMany})`,
    values,
  };
}

const ARE_FEW = '(select "areFew" from counted)';

/** Where the values are by which it is sorted, and how one that is handed in is compared with them. */
interface SortedBy {
  keyOf: (field: string) => string;
  valueOf: (field: string, value: Scalar, parameter: Parameter) => string;
}

const BY_DOCUMENT: SortedBy = {
  keyOf: (field) => sortable(field),
  valueOf: (_field, value, parameter) => `${parameter(sortableValue(value))}::jsonb`,
};

const byList = (list: KeptList): SortedBy => ({
  keyOf: keyOf(list),
  valueOf: (field, value, parameter) =>
    field === '_id' ? `${parameter(value)}::text` : BY_DOCUMENT.valueOf(field, value, parameter),
});

/** Behind which place, and in which order. */
function compilePage({ sort = [], after }: Query, by: SortedBy, parameter: Parameter): string {
  const behind = after ? ` and ${compileAfter(sort, after, by, parameter)}` : '';
  const order = sort.map(({ field, direction }) => `${by.keyOf(field)} ${ordering(direction)}`).join(', ');
  return order ? `${behind} order by ${order}` : behind;
}

function compileAfter(
  sort: NonNullable<Query['sort']>,
  after: readonly Scalar[],
  by: SortedBy,
  parameter: Parameter,
): string {
  if (sort.length === 0 || sort.length !== after.length)
    throw new Error('`after` has one value for each field of `sort`');
  const keys = sort.map(({ field }) => by.keyOf(field));
  const places = sort.map(({ field }, at) => by.valueOf(field, after[at]!, parameter));
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
