import { expect, test } from '@jest/globals';
import { identifier } from './pool.ts';

test('plain names become part of SQL text, others do not', () => {
  expect(identifier('orders')).toBe('"orders"');
  expect(identifier('_outbox_2')).toBe('"_outbox_2"');
  for (const name of ['', 'Orders', '2nd', 'a-b', 'a"b', 'a b', 'a;', 'ä', 'x'.repeat(52)])
    expect(() => identifier(name)).toThrow('cannot name');
});
