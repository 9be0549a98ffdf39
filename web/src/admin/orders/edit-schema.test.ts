import { expect, test } from '@jest/globals';
import { finishedAdminOrder } from '../../testing/admin-orders.ts';
import { baseOf, type EditValues } from './edit.ts';
import { editSchema } from './edit-schema.ts';

const good = baseOf(finishedAdminOrder()).values;
const faults = (changes: Partial<EditValues>) =>
  (editSchema.safeParse({ ...good, ...changes }).error?.issues ?? []).map(
    ({ path, message }) => `${path.join()} ${message}`,
  );

test('an order as it is has no fault; a place may be left out', () => {
  expect(faults({})).toEqual([]);
  expect(faults({ latitude: '', longitude: '', location: '', notes: '' })).toEqual([]);
});

test.each([
  [{ trees: '' }, 'trees trees'],
  [{ trees: '0' }, 'trees trees'],
  [{ trees: '10001' }, 'trees treesMany'],
  [{ amount: '' }, 'amount amount'],
  [{ amount: '-1' }, 'amount amount'],
  [{ amount: 'ten' }, 'amount amount'],
  [{ customerEmail: 'emma@mail' }, 'customerEmail email'],
  [{ customerName: ' ' }, 'customerName name'],
  [{ latitude: '90.000001' }, 'latitude latitude'],
  [{ longitude: '-180.5' }, 'longitude longitude'],
  [{ latitude: '' }, 'longitude together'],
])('%j is refused', (changes, fault) => {
  expect(faults(changes)).toEqual([fault]);
});
