import { expect, test } from '@jest/globals';
import { adminOrder, finishedAdminOrder } from '../../testing/admin-orders.ts';
import { EDIT_CURRENCIES, baseOf, editOf, isTouched, merge, minorOf, treesOf } from './edit.ts';

const base = baseOf(finishedAdminOrder()).values;
const edit = (changes: Partial<typeof base>) => editOf(base, { ...base, ...changes });

test('the fields show major units and six decimals', () => {
  expect(base).toMatchObject({ trees: '5', amount: '20.00', latitude: '4.637214', longitude: '-75.487031' });
  expect(baseOf(adminOrder({ amount: 1500, currency: 'JPY' })).values.amount).toBe('1500');
});

test('an amount is multiplied by 100 and rounded, except where a currency has no decimals', () => {
  expect(minorOf('20', 'USD')).toBe(2000);
  expect(minorOf('1.005', 'USD')).toBe(101);
  expect(minorOf('82300.50', 'COP')).toBe(8_230_050);
  expect(minorOf('1500', 'JPY')).toBe(1500);
});

test('trees are parsed as an integer, 0 when there is none', () => {
  expect(['7', '7.9', '', 'many'].map(treesOf)).toEqual([7, 7, 0, 0]);
});

test('only what was changed is sent', () => {
  expect(edit({})).toBeUndefined();
  expect(edit({ trees: '6', notes: '' })).toEqual({ trees: 6, notes: null });
  expect(edit({ customerName: ' Emma C. ' })).toEqual({ customerName: 'Emma C.' });
});

test('amount and currency go together, and so do latitude and longitude', () => {
  expect(edit({ currency: 'EUR' })).toEqual({ amount: 2000, currency: 'EUR' });
  expect(edit({ latitude: '4.5' })).toEqual({ coordinates: { latitude: 4.5, longitude: -75.487031 } });
  expect(edit({ latitude: '', longitude: '' })).toEqual({ coordinates: null });
});

test('what somebody else changed comes in where nothing was typed; what was typed stays', () => {
  const fresh = { ...base, trees: '8', notes: 'By the stream.' };
  const typed = { ...base, notes: 'By the gate.' };
  const { values, meanwhile } = merge(base, fresh, typed);
  expect(values).toMatchObject({ trees: '8', notes: 'By the gate.' });
  expect(meanwhile).toEqual([
    { field: 'trees', from: '5', to: '8' },
    { field: 'notes', from: 'Upper edge of the plot.', to: 'By the stream.' },
  ]);
  expect(isTouched(fresh, values)).toBe(true);
});

test('eight currencies are the usual choice', () => {
  expect(EDIT_CURRENCIES).toEqual(['USD', 'EUR', 'GBP', 'CAD', 'AUD', 'COP', 'MXN', 'BRL']);
});
