import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { type Endpoint, isInternal, pathOf } from './endpoint.ts';
import { ENDPOINTS } from './endpoints/index.ts';
import { exampleOf } from './example.ts';

const DECLARED = (Object.entries(ENDPOINTS) as [string, Endpoint][]).filter(
  ([key]) => !isInternal(pathOf(key)),
);
const exampleIn = (schema: z.ZodType, io: 'input' | 'output') =>
  exampleOf(z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Record<string, unknown>);

describe('an example is what it is an example of', () => {
  test.each(DECLARED.flatMap(([key, { body }]) => (body ? [[key, body] as const] : [])))(
    'sent with %s',
    (_key, body) => {
      expect(body.safeParse(exampleIn(body, 'input')).error).toBeUndefined();
    },
  );

  test.each(DECLARED.flatMap(([key, { response }]) => (response ? [[key, response] as const] : [])))(
    'answered by %s',
    (_key, response) => {
      expect(response.safeParse(exampleIn(response, 'output')).error).toBeUndefined();
    },
  );

  test.each(DECLARED.flatMap(([key, { params, query }]) => [[key, params], [key, query]].filter(([, one]) => one) as [string, z.ZodType][]))(
    'in the address of %s',
    (_key, part) => {
      expect(part.safeParse(exampleIn(part, 'input')).error).toBeUndefined();
    },
  );
}); // prettier-ignore

test('a field is called by an example that its schema takes, else by the simplest', () => {
  expect(exampleOf({ type: 'string', maxLength: 5 }, 'name')).toBe('text');
  expect(exampleOf({ type: 'integer', minimum: 10, maximum: 20 }, 'trees')).toBe(10);
  expect(exampleOf({ type: 'string', examples: ['own'] }, 'name')).toBe('own');
  expect(exampleOf({ type: 'array', items: { type: 'boolean' } }, 'any')).toEqual([true]);
});
