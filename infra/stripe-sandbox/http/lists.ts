import type { TableName } from '../objects.ts';
import type { Call, Endpoint } from './endpoint.ts';
import { invalidRequest, noSuch } from './errors.ts';
import { type FormHash, type FormValue, integer, type Reader, readParams, text, texts } from './params.ts';

interface Listed {
  id: string;
  created?: number;
}

/** `created[gte]=1700000000&created[lt]=…`, in seconds. */
const created: Reader<(seconds: number) => boolean> = (value, name) => {
  if (typeof value === 'string') throw invalidRequest('Invalid object', { param: name });
  const bounds = Object.entries((value ?? {}) as FormHash).map(([operator, bound]: [string, FormValue]) => {
    const limit = integer(bound, `${name}[${operator}]`) ?? 0;
    if (operator === 'gte') return (seconds: number) => seconds >= limit;
    if (operator === 'lt') return (seconds: number) => seconds < limit;
    throw invalidRequest(`Received unknown parameter: ${name}[${operator}]`, { param: name });
  });
  return (seconds) => bounds.every((within) => within(seconds));
};

const listShape = { limit: integer, starting_after: text, created };

interface Page {
  limit?: number | undefined;
  starting_after?: string | undefined;
  created: (seconds: number) => boolean;
}

/** One page of a list, newest first. */
function page<T extends Listed>(objects: T[], asked: Page, url: string, kind: string) {
  const { limit = 10, starting_after: after } = asked;
  if (limit < 1 || limit > 100) {
    throw invalidRequest('Limit must be between 1 and 100', {
      param: 'limit',
      code: 'parameter_invalid_integer',
    });
  }
  const matching = objects.filter((object) => asked.created(object.created ?? 0));
  const from = after ? matching.findIndex(({ id }) => id === after) + 1 : 0;
  if (after && from === 0) throw noSuch(kind, after, 'starting_after', 400);
  const data = matching.slice(from, from + limit);
  return { object: 'list' as const, data, has_more: from + limit < matching.length, url };
}

/** Where each kind of object is listed and read, and the fields its list can be filtered by. */
const READABLE: { path: string; table: TableName; kind: string; filters: readonly string[] }[] = [
  { path: '/payment_intents', table: 'payment_intents', kind: 'payment_intent', filters: [] },
  { path: '/charges', table: 'charges', kind: 'charge', filters: ['payment_intent'] },
  {
    path: '/balance_transactions',
    table: 'balance_transactions',
    kind: 'balance transaction',
    filters: ['type'],
  },
  { path: '/refunds', table: 'refunds', kind: 'refund', filters: ['payment_intent', 'charge'] },
  { path: '/disputes', table: 'disputes', kind: 'dispute', filters: ['payment_intent'] },
  { path: '/events', table: 'events', kind: 'event', filters: ['type'] },
  { path: '/checkout/sessions', table: 'sessions', kind: 'checkout.session', filters: ['payment_intent'] },
];

/** Lists and reads for the secret key, after the endpoints that answer the same paths otherwise. */
export const readingEndpoints: Endpoint[] = READABLE.flatMap(({ path, table, kind, filters }) => [
  {
    method: 'get' as const,
    path,
    access: 'secret' as const,
    answer: ({ tx, params }: Call) => {
      const filterShape = Object.fromEntries(filters.map((name) => [name, text]));
      const given = readParams(params, { ...listShape, ...filterShape, types: texts });
      const matches = (object: object) => {
        const fields = new Map<string, unknown>(Object.entries(object));
        return (
          filters.every((name) => !params[name] || fields.get(name) === params[name]) &&
          (given.types?.includes(String(fields.get('type'))) ?? true)
        );
      };
      return page<Listed>(tx.all(table).filter(matches), given, `/v1${path}`, kind);
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
