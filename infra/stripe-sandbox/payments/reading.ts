import type { Call, Endpoint } from '../http/endpoint.ts';
import { noSuch } from '../http/errors.ts';
import { listShape, page } from '../http/lists.ts';
import { readParams, text, texts } from '../http/params.ts';
import type { TableName } from '../records.ts';

/** Objects that are created by other endpoints and only read here. */
const READABLE: Array<{ path: string; table: TableName; kind: string }> = [
  { path: '/charges', table: 'charges', kind: 'charge' },
  { path: '/events', table: 'events', kind: 'event' },
  { path: '/balance_transactions', table: 'balance_transactions', kind: 'balance transaction' },
  { path: '/disputes', table: 'disputes', kind: 'dispute' },
  { path: '/products', table: 'products', kind: 'product' },
  { path: '/prices', table: 'prices', kind: 'price' },
];

const FILTERS = ['type', 'payment_intent', 'charge', 'source', 'currency', 'product'] as const;
const filterShape = Object.fromEntries(FILTERS.map((name) => [name, text])) as Record<
  (typeof FILTERS)[number],
  typeof text
>;

export const readingEndpoints: Endpoint[] = READABLE.flatMap(({ path, table, kind }) => [
  {
    method: 'get' as const,
    path,
    access: 'secret' as const,
    answer: ({ tx, params }: Call) => {
      const given = readParams(params, { ...listShape, ...filterShape, types: texts, active: text });
      const matches = (object: object) =>
        FILTERS.every((name) => !given[name] || (object as Record<string, unknown>)[name] === given[name]) &&
        (!given.types || given.types.includes((object as { type: string }).type));
      return page(tx.all(table).filter(matches), given, `/v1${path}`, kind);
    },
  },
  {
    method: 'get' as const,
    path: `${path}/:id`,
    access: 'secret' as const,
    answer: ({ tx, params, path: { id = '' } }: Call) => {
      readParams(params, {});
      const object = tx.get(table, id);
      if (!object) throw noSuch(kind, id, 'id');
      return object;
    },
  },
]);
