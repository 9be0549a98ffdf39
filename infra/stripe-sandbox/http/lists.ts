import { invalidRequest, noSuch } from './errors.ts';
import type { FormHash, FormValue } from './form.ts';
import { integer, text, type Reader } from './params.ts';

interface Listed {
  id: string;
  created?: number;
}

/** `created=1700000000` or `created[gte]=…&created[lt]=…`, in seconds. */
const created: Reader<(seconds: number) => boolean> = (value, name) => {
  if (value === undefined) return () => true;
  if (typeof value === 'string') {
    const exact = integer(value, name);
    return (seconds) => seconds === exact;
  }
  const bounds = Object.entries(value as FormHash).map(([operator, bound]: [string, FormValue]) => {
    const limit = integer(bound, `${name}[${operator}]`) ?? 0;
    if (operator === 'gt') return (seconds: number) => seconds > limit;
    if (operator === 'gte') return (seconds: number) => seconds >= limit;
    if (operator === 'lt') return (seconds: number) => seconds < limit;
    if (operator === 'lte') return (seconds: number) => seconds <= limit;
    throw invalidRequest(`Received unknown parameter: ${name}[${operator}]`, { param: name });
  });
  return (seconds) => bounds.every((within) => within(seconds));
};

/** Parameters of every list endpoint. */
export const listShape = { limit: integer, starting_after: text, ending_before: text, created };

interface Page {
  limit?: number | undefined;
  starting_after?: string | undefined;
  ending_before?: string | undefined;
  created: (seconds: number) => boolean;
}

/** One page of a list, newest first. */
export function page<T extends Listed>(objects: T[], asked: Page, url: string, kind: string) {
  const { limit = 10 } = asked;
  if (limit < 1 || limit > 100) {
    throw invalidRequest('Limit must be between 1 and 100', {
      param: 'limit',
      code: 'parameter_invalid_integer',
    });
  }
  const matching = objects.filter((object) => asked.created(object.created ?? 0));
  const at = (id: string, param: string) => {
    const index = matching.findIndex((object) => object.id === id);
    if (index < 0) throw noSuch(kind, id, param, 400);
    return index;
  };
  if (asked.ending_before) {
    const to = at(asked.ending_before, 'ending_before');
    const from = Math.max(0, to - limit);
    return { object: 'list' as const, data: matching.slice(from, to), has_more: from > 0, url };
  }
  const from = asked.starting_after ? at(asked.starting_after, 'starting_after') + 1 : 0;
  const data = matching.slice(from, from + limit);
  return { object: 'list' as const, data, has_more: from + limit < matching.length, url };
}
