import type { Condition, Query, Where } from '../../../ports/documents.ts';
import { fieldName } from '../../field-name.ts';

export type Filter = Record<string, unknown>;
type Scalar = string | number | boolean;

/** Where a document's field is stored. @throws when it is not words joined by dots. */
export const storedField = (field: string): string =>
  fieldName(field) === '_id' ? '_id' : `doc.${fieldName(field)}`;

// prettier-ignore
const OPERATORS = {
  in: '$in', exists: '$exists', gte: '$gte', gt: '$gt', lte: '$lte', lt: '$lt', all: '$all',
} as const;

/** MongoDB itself compares values of one kind only. */
export function toFilter(where: Where = {}): Filter {
  return Object.fromEntries(
    Object.entries(where).flatMap(([field, condition]) => {
      const compiled = condition === undefined ? undefined : toCondition(condition);
      return compiled === undefined ? [] : [[storedField(field), compiled]];
    }),
  );
}

function toCondition(condition: Condition): unknown {
  if (typeof condition !== 'object') return { $eq: condition };
  const operators = Object.entries(OPERATORS).flatMap(([name, operator]) => {
    const value = condition[name as keyof typeof OPERATORS];
    // To MongoDB nothing holds all of nothing.
    const isAsked = value !== undefined && !(name === 'all' && condition.all?.length === 0);
    return isAsked ? [[operator, value]] : [];
  });
  return operators.length > 0 ? Object.fromEntries(operators) : undefined;
}

interface Find {
  filter: Filter;
  projection: Record<string, 0 | 1>;
  sort: [string, 1 | -1][];
  limit: number;
}

/** What `find` is called with. */
export function toFind(query: Query): Find {
  const filter = toFilter(query.where);
  const sort = (query.sort ?? []).map(({ field, direction }): [string, 1 | -1] => [
    storedField(field),
    direction === 'asc' ? 1 : -1,
  ]);
  return {
    filter: query.after ? { $and: [filter, ...behind(sort, query.after)] } : filter,
    projection: toProjection(query.without),
    sort,
    // To MongoDB 0 means no limit.
    limit: query.limit ?? 0,
  };
}

/** MongoDB takes either what shall come or what shall not. */
function toProjection(without: readonly string[] = []): Find['projection'] {
  if (without.length === 0) return { doc: 1 };
  return { outbox: 0, consumed: 0, ...Object.fromEntries(without.map((field) => [storedField(field), 0])) };
}

/**
 * What lies behind a place in an order. The first condition is implied by the second; it is there because an index can
 * begin reading at it.
 */
function behind(sort: readonly [string, 1 | -1][], after: readonly Scalar[]): Filter[] {
  if (sort.length === 0 || sort.length !== after.length)
    throw new Error('`after` has one value for each field of `sort`');
  const steps = sort.map(([field, direction], at) => ({
    ...Object.fromEntries(sort.slice(0, at).map(([earlier], n) => [earlier, { $eq: after[n] }])),
    [field]: { [direction === 1 ? '$gt' : '$lt']: after[at] },
  }));
  const [[first, direction]] = sort as [[string, 1 | -1]];
  return [{ [first]: { [direction === 1 ? '$gte' : '$lte']: after[0] } }, { $or: steps }];
}
