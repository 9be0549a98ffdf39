import type { Condition, Query, Where } from '../../../ports/documents.ts';
import { fieldName } from '../../field-name.ts';

/** SQL text with the values of its $1, $2, … */
export interface Compiled {
  text: string;
  values: unknown[];
}

type Scalar = string | number | boolean;

/**
 * What a field is indexed, compared and sorted by: `chassis.sortable` brings every kind of value into one order.
 * @throws when the name is not words joined by dots, as it becomes part of the SQL text.
 */
export function sortable(field: string): string {
  return `chassis.sortable(doc #> '${path(field)}')`;
}

/** The same order for a value that is handed in: see chassis.sortable. */
function sortableValue(value: Scalar): string {
  return JSON.stringify(typeof value === 'string' ? Buffer.from(value).toString('hex') : value);
}

/** A field that is a list, as it is indexed and asked for what it holds. */
export const list = (field: string) => `(doc #> '${path(field)}')`;

export const path = (field: string) => `{${fieldName(field).replaceAll('.', ',')}}`;

/** Collects values and hands out their places. */
const parameters = (values: unknown[]) => (value: unknown) => `$${values.push(value)}`;
type Parameter = ReturnType<typeof parameters>;

const RANGES = { gte: '>=', gt: '>', lte: '<=', lt: '<' } as const;
/**
 * Between which keys the values of a kind lie, as jsonb sorts them: null, strings (of hexadecimal digits), numbers,
 * booleans, lists and objects. https://www.postgresql.org/docs/current/datatype-json.html#JSON-INDEXING
 */
const KINDS = {
  string: [`>= '""'`, `< '"g"'`],
  number: [`> '"g"'`, `< 'false'`],
  boolean: [`>= 'false'`, `<= 'true'`],
} as const;

export function compileWhere(where: Where = {}, values: unknown[] = []): Compiled {
  const conditions = Object.entries(where).flatMap(([field, condition]) =>
    condition === undefined ? [] : compileCondition(field, condition, parameters(values)),
  );
  return { text: conditions.length > 0 ? conditions.join(' and ') : 'true', values };
}

/**
 * What is counted and summed up: `from` where `text`. PostgreSQL unpacks a large document anew for each field that it looks at;
 * of many, as words find them, that is most of the time. They are unpacked once, after all that an index may narrow them
 * down by: what a document lacks seldom does. `||` with nothing unpacks and changes nothing; `offset 0` keeps it where it is.
 */
export function compileSource(table: string, where: Where = {}): Compiled & { from: string } {
  if (!Object.values(where).some(asksForList)) return { from: table, ...compileWhere(where) };
  const fields = Object.entries(where);
  const some = (isMissing: boolean) =>
    Object.fromEntries(fields.filter(([, condition]) => asksForMissing(condition) === isMissing));
  const { text: narrowing, values } = compileWhere(some(false));
  return {
    from: `(select doc || '{}' as doc from ${table} where ${narrowing} offset 0) as unpacked`,
    ...compileWhere(some(true), values),
  };
}

const asksForList = (condition: Condition | undefined): condition is { all: readonly string[] } =>
  typeof condition === 'object' && condition.all !== undefined && condition.all.length > 0;

const asksForMissing = (condition: Condition | undefined) =>
  typeof condition === 'object' && condition.exists === false;

function compileCondition(field: string, condition: Condition, parameter: Parameter): string[] {
  const key = sortable(field);
  if (typeof condition !== 'object') return [`${key} = ${parameter(sortableValue(condition))}::jsonb`];
  const parts: string[] = [];
  if (condition.in) parts.push(`${key} = any(${parameter(condition.in.map(sortableValue))}::jsonb[])`);
  if (condition.all && condition.all.length > 0) parts.push(holdsAll(field, condition.all, parameter));
  // By the key, of which an index knows how often it is missing; of the document itself PostgreSQL guesses.
  if (condition.exists !== undefined) parts.push(`${key} is ${condition.exists ? 'not null' : 'null'}`);
  for (const [name, operator] of Object.entries(RANGES)) {
    const value = condition[name as keyof typeof RANGES];
    if (value === undefined) continue;
    // Only values of one kind are compared: 5 is neither before nor behind "abc". An index can tell that by itself.
    const [from, to] = KINDS[typeof value as keyof typeof KINDS];
    parts.push(`${key} ${from}::jsonb`, `${key} ${to}::jsonb`);
    parts.push(`${key} ${operator} ${parameter(sortableValue(value))}::jsonb`);
  }
  return parts;
}

/**
 * Of a list PostgreSQL does not know how often it holds something, and takes one document in a hundred for granted. So it looks
 * itself: up to so many are read by the list's index and sorted, of more the first are met soon in the order that is wanted.
 */
const FEW = 2_000;

/** @param table already quoted */
export function compileQuery(table: string, query: Query): Compiled {
  const values: unknown[] = [];
  const where = compileWhere(query.where, values);
  const sort = query.sort ?? [];
  const behind = query.after ? ` and ${compileAfter(sort, query.after, parameters(values))}` : '';
  const order = sort.map(({ field, direction }) => `${sortable(field)} ${ordering(direction)}`).join(', ');
  const limit = query.limit === undefined ? '' : ` limit ${parameters(values)(query.limit)}`;
  const found = query.without?.length
    ? `doc - ${parameters(values)(query.without.map(fieldName))}::text[] as doc`
    : 'doc';
  const rest = `${where.text}${behind}${order ? ` order by ${order}` : ''}${limit}`;
  const lists = order && limit ? listsOf(query.where, values) : '';
  if (!lists) return { text: `select ${found} from ${table} where ${rest}`, values };
  return {
    text: `
      with listed as materialized (select doc from ${table} where ${lists} limit ${FEW + 1}),
        counted as materialized (select count(*) <= ${FEW} as "areFew" from listed)
      (select ${found} from listed where (select "areFew" from counted) and ${rest})
      union all
      (select ${found} from ${table} where not (select "areFew" from counted) and ${rest})`,
    values,
  };
}

/** What is asked of fields that are lists; empty when nothing is. */
function listsOf(where: Where = {}, values: unknown[]): string {
  return Object.entries(where)
    .flatMap(([field, condition]) =>
      asksForList(condition) ? [holdsAll(field, condition.all, parameters(values))] : [],
    )
    .join(' and ');
}

const holdsAll = (field: string, all: readonly unknown[], parameter: Parameter) =>
  `${list(field)} @> ${parameter(JSON.stringify(all))}::jsonb`;

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
