import { expect, test } from '@jest/globals';
import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';
import { ENDPOINTS } from './endpoints/index.ts';
import { TYPED_TEXT } from './typed-text.ts';

type Schema = {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  items?: Schema;
};

/** Ids and dates are no text. */
const IS_ID = /^\^\[(?:0-9a-f|\\w-)\]/;

/** Paths of strings that hold what somebody types. A schema without a type accepts anything. */
function textsIn(schema: Schema, path = ''): string[] {
  if (schema.anyOf) return schema.anyOf.flatMap((one) => textsIn(one, path));
  if (schema.type === 'object')
    return Object.entries(schema.properties ?? {}).flatMap(([name, of]) =>
      textsIn(of, path === '' ? name : `${path}.${name}`),
    );
  if (schema.type === 'array') return textsIn(schema.items ?? {}, path);
  const isFixed = schema.enum !== undefined || 'const' in schema;
  const isOther = schema.format !== undefined && schema.format !== 'email';
  if (schema.type === 'string') return isFixed || isOther || IS_ID.test(schema.pattern ?? '') ? [] : [path];
  return schema.type === undefined ? [path] : [];
}

test('all that strangers, donors and recipients can type says who is forgotten with it', () => {
  const typed = Object.entries<Endpoint>(ENDPOINTS).flatMap(([call, { access, body }]) => {
    const isTheirs = access === 'public' || (Array.isArray(access) && access.includes('customer'));
    if (!isTheirs || !body) return [];
    const schema = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as Schema;
    const fields = [...new Set(textsIn(schema))].sort();
    return fields.length === 0 ? [] : [[call, fields]];
  });
  expect(Object.fromEntries(typed)).toEqual(
    Object.fromEntries(
      Object.entries(TYPED_TEXT).map(([call, fields]) => [call, Object.keys(fields).sort()]),
    ),
  );
});
