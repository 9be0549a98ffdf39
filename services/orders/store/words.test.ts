import { describe, expect, test } from '@jest/globals';
import type { Order } from '../order.ts';
import { decidePayment } from '../decisions/creation.ts';
import { payment } from '../test/builders.ts';
import { approved } from '../test/news.ts';
import { wordsOf, wordsSought } from './words.ts';

const id = '65f0c0ffee0123456789abcd';
const order = decidePayment(undefined, payment({ orderId: id, transactionId: 'pi_3QxYz' }).data)!.document;
const isFound = (text: string, among: Order = order) =>
  wordsSought(text).every((word) => wordsOf(among).includes(word));

describe('an order', () => {
  test.each([
    ['its short id', '89ABCD'],
    ['its short id as people write it', '#89abcd'],
    ['the beginning of its id', '65f0c0'],
    ['its whole id', id],
    ['the name without accents', 'maria jose'],
    ['the name with accents and capitals', 'MARÍA PÉREZ'],
    ['beginnings of the name in any order', 'per mar'],
    ['an initial', 'm'],
    ['the whole address', 'maria@mail.test'],
    ['the domain of the address', 'mail.test'],
    ['name and address together', 'pérez maria@ma'],
    ['the transaction', 'pi_3qxyz'],
  ])('is found by %s', (_what, text) => {
    expect(isFound(text)).toBe(true);
  });

  test.each([
    ['another name beside the right one', 'maría gómez'],
    ['the middle of a word', 'aría'],
    ['more than the word', 'mariana'],
  ])('is not found by %s', (_what, text) => {
    expect(isFound(text)).toBe(false);
  });

  test('of a transfer is found by its reference', () => {
    const transfer = decidePayment(undefined, approved(id).data)!.document;
    expect(isFound('arb-7f', transfer)).toBe(true);
  });

  test('is found by the parts of a name that is written together', () => {
    const customer = { ...order.customer, name: 'Ana O’Brien García-Márquez' };
    for (const text of ['brien', 'marquez', 'garcia-m', 'o’b'])
      expect(isFound(text, { ...order, customer })).toBe(true);
  });

  test('has a bounded number of words, whatever people are called', () => {
    const customer = {
      name: 'x '.repeat(60),
      email: `${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.test`,
    };
    const long = { ...order, customer, transactionId: 't'.repeat(500) };
    expect(wordsOf(long).length).toBeLessThan(300);
    expect(isFound(customer.email, long)).toBe(true);
  });
});

test('nothing is sought by signs and spaces alone', () => {
  expect(wordsSought('  , # ;; ')).toEqual([]);
});
