import { expect, test } from '@jest/globals';
import type { Transaction } from '../storage/store.ts';
import { expand } from './expand.ts';

const OBJECTS: Record<string, object> = {
  ch_1: { id: 'ch_1', balance_transaction: 'txn_1' },
  txn_1: { id: 'txn_1', fee: 30 },
};
const tx = { get: (_table: string, id: string) => OBJECTS[id] } as unknown as Pick<Transaction, 'get'>;
const intent = { id: 'pi_1', latest_charge: 'ch_1', review: null };

test('an id becomes its object', () => {
  expect(expand(intent, ['latest_charge'], tx)).toEqual({ ...intent, latest_charge: OBJECTS.ch_1 });
});

test('and the ids within it, in every item of a list', () => {
  const list = { object: 'list', data: [intent, { ...intent, latest_charge: null }] };
  expect(expand(list, ['data.latest_charge.balance_transaction'], tx)).toEqual({
    object: 'list',
    data: [
      { ...intent, latest_charge: { id: 'ch_1', balance_transaction: OBJECTS.txn_1 } },
      { ...intent, latest_charge: null },
    ],
  });
});

test('what is empty stays empty, and the object that was stored is not touched', () => {
  expect(expand(intent, ['review', 'latest_charge'], tx)).toMatchObject({ review: null });
  expect(intent.latest_charge).toBe('ch_1');
});

test('a field that is not there cannot be expanded', () => {
  expect(() => expand(intent, ['owner'], tx)).toThrow(/cannot be expanded \(owner\)/);
});
