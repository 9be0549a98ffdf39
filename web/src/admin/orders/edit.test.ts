import { describe, expect, test } from '@jest/globals';
import { adminOrder, finishedAdminOrder } from '../../test/fixtures.ts';
import { editSchema } from './edit-schema.ts';
import { baseOf, EDIT_CURRENCIES, editOf, type EditValues, isTouched, merge, treesOf } from './edit.ts';

describe('edit', () => {
  const base = baseOf(finishedAdminOrder(), 'en').values;

  const edit = (changes: Partial<typeof base>) => editOf(base, { ...base, ...changes }, 'en');

  test('fields show major units and six decimals', () => {
    expect(base).toMatchObject({
      trees: '5',
      amount: '20.00',
      latitude: '4.637214',
      longitude: '-75.487031',
    });
    expect(baseOf(adminOrder({ amount: 1500, currency: 'JPY' }), 'en').values.amount).toBe('1500');
    expect(baseOf(adminOrder({ amount: 8_230_050, currency: 'COP' }), 'es').values.amount).toBe('82300,50');
  });

  test('multiplies an amount by 100 and rounds, except for currencies without decimals', () => {
    expect(edit({ amount: '1.0050' })).toEqual({ amount: 101, currency: 'USD' });
    expect(edit({ amount: '82300.50', currency: 'COP' })).toEqual({ amount: 8_230_050, currency: 'COP' });
    expect(edit({ amount: '1500', currency: 'JPY' })).toEqual({ amount: 1500, currency: 'JPY' });
  });

  test('parses trees as an integer, 0 when invalid', () => {
    expect(['7', '7.9', '', 'many', '2.000'].map(treesOf)).toEqual([7, 0, 0, 0, 2000]);
  });

  test('sends only changed fields', () => {
    expect(edit({})).toBeUndefined();
    expect(edit({ trees: '6', notes: '' })).toEqual({ trees: 6, notes: null });
    expect(edit({ customerName: ' Emma C. ' })).toEqual({ customerName: 'Emma C.' });
  });

  test('sends amount and currency together, and latitude and longitude together', () => {
    expect(edit({ currency: 'EUR' })).toEqual({ amount: 2000, currency: 'EUR' });
    expect(edit({ latitude: '4.5' })).toEqual({ coordinates: { latitude: 4.5, longitude: -75.487031 } });
    expect(edit({ latitude: '', longitude: '' })).toEqual({ coordinates: null });
  });

  test('merges concurrent changes into untouched fields and keeps typed ones', () => {
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

  test('offers eight usual currencies', () => {
    expect(EDIT_CURRENCIES).toEqual(['USD', 'EUR', 'GBP', 'CAD', 'AUD', 'COP', 'MXN', 'BRL']);
  });
});

const good = baseOf(finishedAdminOrder(), 'en').values;

const faults = (changes: Partial<EditValues>) =>
  (editSchema('en', good).safeParse({ ...good, ...changes }).error?.issues ?? []).map(
    ({ path, message }) => `${path.join()} ${message}`,
  );

test('accepts an unchanged order; a place is optional', () => {
  expect(faults({})).toEqual([]);
  expect(faults({ latitude: '', longitude: '', location: '', notes: '' })).toEqual([]);
});

test.each([
  [{ trees: '' }, 'trees trees'],
  [{ trees: '0' }, 'trees trees'],
  [{ trees: '10001' }, 'trees treesMany'],
  [{ trees: '10.5' }, 'trees treesWhole'],
  [{ trees: '2e3' }, 'trees treesWhole'],
  [{ amount: '' }, 'amount amount'],
  [{ amount: '-1' }, 'amount amount'],
  [{ amount: 'ten' }, 'amount amount'],
  [{ amount: '288.050' }, 'amount ambiguous'],
  [{ trees: '20.000' }, 'trees treesMany'],
  [{ customerEmail: 'emma@mail' }, 'customerEmail email'],
  [{ customerName: ' ' }, 'customerName name'],
  [{ latitude: '90.000001' }, 'latitude latitude'],
  [{ longitude: '-180.5' }, 'longitude longitude'],
  [{ latitude: '' }, 'longitude together'],
  [{ latitude: '0', longitude: '0' }, 'latitude zero'],
  [{ longitude: '0' }, 'longitude zero'],
  [{ latitude: '-75.487031', longitude: '4.637214' }, 'latitude swapped'],
  [{ longitude: '75.487031' }, 'longitude minus'],
  [{ latitude: '40.4168', longitude: '-3.7038' }, 'latitude outside'],
])('refuses %j', (changes, fault) => {
  expect(faults(changes)).toEqual([fault]);
});

test('an existing implausible place does not block another edit', () => {
  const abroad = { ...good, latitude: '40.416800', longitude: '-3.703800' };
  expect(editSchema('en', abroad).safeParse({ ...abroad, notes: 'By the gate.' }).success).toBe(true);
});
