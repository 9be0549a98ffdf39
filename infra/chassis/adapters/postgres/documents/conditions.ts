import type { Condition, Where } from '../../../ports/documents.ts';
import { fieldName } from '../../field-name.ts';

/** SQL text with the values of its $1, $2, … */
export interface Compiled {
  text: string;
  values: unknown[];
}

export type Scalar = string | number | boolean;

/**
 * What a field is indexed, compared and sorted by: `chassis.sortable` brings every kind of value into one order.
 * @throws when the name is not words joined by dots, as it becomes part of the SQL text.
 */
export function sortable(field: string, doc = 'doc'): string {
  return `chassis.sortable(${doc} #> '${path(field)}')`;
}

/** The same order for a value that is handed in: see chassis.sortable. */
export function sortableValue(value: Scalar): string {
  return JSON.stringify(typeof value === 'string' ? Buffer.from(value).toString('hex') : value);
}

/** Missing is less than everything, as in MongoDB. */
export const ordering = (direction: 'asc' | 'desc') =>
  direction === 'asc' ? 'asc nulls first' : 'desc nulls last';

export const path = (field: string) => `{${fieldName(field).replaceAll('.', ',')}}`;

/** Collects values and hands out their places. */
export const parameters = (values: unknown[]) => (value: unknown) => `$${values.push(value)}`;
export type Parameter = ReturnType<typeof parameters>;

/** The end of a statement that has one. */
export const limited = (values: unknown[], limit: number | undefined): string =>
  limit === undefined ? '' : ` limit ${parameters(values)(limit)}`;

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

/** How fields are asked for. */
interface Fields {
  /** Where the sortable value of a field is, when it is not in a document. */
  keyOf?: (field: string) => string;
  /** Whether an index may be asked. Where none is, the same value is found as it is: to sort it costs more than to read it. */
  isIndexed?: (field: string) => boolean;
}

export function compileWhere(where: Where = {}, values: unknown[] = [], fields: Fields = {}): Compiled {
  const conditions = Object.entries(where).flatMap(([field, condition]) =>
    condition === undefined ? [] : compileCondition(field, condition, parameters(values), fields),
  );
  return { text: conditions.length > 0 ? conditions.join(' and ') : 'true', values };
}

/** What a document's list is to hold; undefined when nothing is asked of it. */
export const wordsAsked = (condition: Condition | undefined): readonly string[] | undefined =>
  typeof condition === 'object' && condition.all?.length ? condition.all : undefined;

function compileCondition(
  field: string,
  condition: Condition,
  parameter: Parameter,
  { keyOf = sortable, isIndexed = () => true }: Fields,
): string[] {
  const key = keyOf(field);
  const [same, sameValue] = isIndexed(field)
    ? ([key, sortableValue] as const)
    : ([`(doc #> '${path(field)}')`, (value: Scalar) => JSON.stringify(value)] as const);
  if (typeof condition !== 'object') return [`${same} = ${parameter(sameValue(condition))}::jsonb`];
  const parts: string[] = [];
  if (condition.in) parts.push(`${same} = any(${parameter(condition.in.map(sameValue))}::jsonb[])`);
  const words = wordsAsked(condition);
  if (words) parts.push(`(doc #> '${path(field)}') @> ${parameter(JSON.stringify(words))}::jsonb`);
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
