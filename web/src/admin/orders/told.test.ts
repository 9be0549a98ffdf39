import { expect, test } from '@jest/globals';
import { formatsOf } from '../../i18n/format.ts';
import { toldChanges } from './told.ts';

test('an edit is told in words: names of the form, money, places, what was empty', () => {
  const told = toldChanges(
    [
      { field: 'amountMinor', from: 2000, to: 8_230_000 },
      { field: 'currency', from: 'USD', to: 'COP' },
      { field: 'customer.name', from: 'Emma', to: 'Emma Clarke' },
      { field: 'coordinates', to: { latitude: 4.5, longitude: -75.25 } },
      { field: 'trees', from: 1000, to: 2000 },
    ],
    'COP',
    formatsOf('en'),
  );
  expect(told).toEqual([
    { field: 'amount', from: 'USD\u00a020.00', to: 'COP\u00a082,300.00' },
    { field: 'currency', from: 'USD', to: 'COP' },
    { field: 'customerName', from: 'Emma', to: 'Emma Clarke' },
    { field: 'coordinates', from: '', to: '4.500000, -75.250000' },
    { field: 'trees', from: '1,000', to: '2,000' },
  ]);
});
