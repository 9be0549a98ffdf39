import { describe, expect, test } from '@jest/globals';
import type { JsonSchema } from '../schema-changes.ts';
import { breakingChanges, type Published } from './compatibility.ts';

const released: Published = {
  type: 'order.planted',
  version: 1,
  key: 'orderId',
  listeners: ['notifications', 'orders'],
  schema: {
    type: 'object',
    properties: {
      orderId: { type: 'string', pattern: '^[0-9a-f]{24}$' },
      trees: { type: 'integer', minimum: 1, maximum: 10_000 },
      status: { type: 'string', enum: ['pending', 'planted'] },
      method: { anyOf: [{ type: 'object', properties: { kind: { const: 'card' } } }, { type: 'object' }] },
      photos: { type: 'array', items: { type: 'string' }, maxItems: 10 },
      notes: { type: 'string' },
    },
    required: ['orderId', 'trees', 'status'],
  },
};
const { properties } = released.schema as { properties: Record<string, JsonSchema> };
const without = (name: string) =>
  Object.fromEntries(Object.entries(properties).filter(([field]) => field !== name));
const withField = (name: string, field: JsonSchema): Published => ({
  ...released,
  schema: { ...released.schema, properties: { ...properties, [name]: field } },
});
const changes = (today: Published[]) => breakingChanges([released], today);

describe('is refused, by the name of what changed', () => {
  test.each<[string, Published[], RegExp]>([
    ['a type that is gone', [], /order\.planted: the type/],
    ['a lower version', [{ ...released, version: 0 }], /version 1 is gone/],
    ['another key', [{ ...released, key: 'paymentId' }], /key is paymentId/],
    ['a group that no longer listens', [{ ...released, listeners: ['orders'] }], /notifications no longer/],
    [
      'a field that is gone',
      [{ ...released, schema: { ...released.schema, properties: without('notes') } }],
      /planted\.notes: the field is gone/,
    ],
    [
      'a required field that may be absent',
      [{ ...released, schema: { ...released.schema, required: ['orderId', 'status'] } }],
      /planted\.trees: may be absent/,
    ],
    [
      'a field that is required now',
      [{ ...released, schema: { ...released.schema, required: ['orderId', 'trees', 'status', 'notes'] } }],
      /planted\.notes: is required now/,
    ],
    [
      'another type of value',
      [withField('trees', { type: 'string' })],
      /planted\.trees: is string, was integer/,
    ],
    [
      'a new value of an enumeration',
      [withField('status', { type: 'string', enum: ['pending', 'planted', 'felled'] })],
      /planted\.status: may be felled now/,
    ],
    ['an enumeration that is none any more', [withField('status', { type: 'string' })], /status: may be any/],
    [
      'a wider bound',
      [withField('trees', { type: 'integer', minimum: 0, maximum: 10_000 })],
      /planted\.trees: minimum is 0, was 1/,
    ],
    ['another pattern', [withField('orderId', { type: 'string', pattern: '^o-' })], /orderId: pattern is/],
    [
      'other items of a list',
      [withField('photos', { type: 'array', items: { type: 'object' }, maxItems: 10 })],
      /planted\.photos\[\]: is object, was string/,
    ],
    [
      'a new form of a value',
      [withField('method', { anyOf: [...(properties.method!.anyOf as JsonSchema[]), { type: 'object' }] })],
      /planted\.method: has a new form/,
    ],
  ])('%s', (_name, today, sentence) => {
    expect(changes(today)).toEqual([expect.stringMatching(sentence)]);
  });
});

describe('is allowed', () => {
  test.each<[string, Published[]]>([
    ['nothing new', [released]],
    ['a new type', [released, { ...released, type: 'order.assigned' }]],
    ['a new optional field', [withField('place', { type: 'string' })]],
    ['a further group that listens', [{ ...released, listeners: [...released.listeners, 'payments'] }]],
    ['a narrower bound', [withField('trees', { type: 'integer', minimum: 1, maximum: 500 })]],
    ['a value that no longer comes', [withField('status', { type: 'string', enum: ['planted'] })]],
    ['a bound where there was none', [withField('notes', { type: 'string', maxLength: 1_000 })]],
    [
      'anything in a new version',
      [{ ...released, version: 2, key: 'paymentId', schema: { type: 'object' } }],
    ],
    ['another title or description', [{ ...released, schema: { ...released.schema, title: 'Planted' } }]],
  ])('%s', (_name, today) => {
    expect(changes(today)).toEqual([]);
  });
});
