import { describe, expect, test } from '@jest/globals';
import { decodeForm } from './form.ts';

const plain = (text: string) => JSON.parse(JSON.stringify(decodeForm(text)));

describe('a form body', () => {
  test('nests by brackets and numbers lists, as the official client writes them', () => {
    expect(
      plain(
        'amount=1500&metadata[order]=a%20b&line_items[0][price]=p&line_items[0][quantity]=2&line_items[1][price]=q',
      ),
    ).toEqual({
      amount: '1500',
      metadata: { order: 'a b' },
      line_items: [{ price: 'p', quantity: '2' }, { price: 'q' }],
    });
  });

  test('takes empty brackets as the next of a list', () => {
    expect(plain('expand[]=latest_charge&expand[]=customer')).toEqual({
      expand: ['latest_charge', 'customer'],
    });
  });

  test('reads encoded brackets too', () => {
    expect(plain('card%5Bnumber%5D=4242')).toEqual({ card: { number: '4242' } });
  });

  test('cannot reach the prototype of objects', () => {
    decodeForm('__proto__[polluted]=yes&a[__proto__][polluted]=yes');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test('keeps the last of a scalar and a hash under one name', () => {
    expect(plain('a=1&a[b]=2')).toEqual({ a: { b: '2' } });
  });

  test('is refused when it has thousands of parameters or endless brackets', () => {
    expect(() => decodeForm('a=1&'.repeat(1001))).toThrow(RangeError);
    expect(() => decodeForm(`a${'[b]'.repeat(50)}=1`)).toThrow(RangeError);
  });
});
