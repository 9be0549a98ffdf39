import { expect, test } from '@jest/globals';
import { countFaults } from './counts.ts';

const right = {
  charged: ['pi_1', 'pi_2'],
  told: { paid: ['pi_1', 'pi_2'], photos: ['a.jpg'] },
  orders: [{ intentId: 'pi_1' }, { intentId: 'pi_2' }],
  photos: [{ filename: 'a.jpg', state: 'ready' }],
};

test('what was promised is there', () => expect(countFaults(right)).toEqual([]));

test.each([
  ['an order is missing', { orders: [{ intentId: 'pi_1' }] }, 'the charge of pi_2 has 0 orders'],
  ['an order is there twice', { orders: [...right.orders, { intentId: 'pi_1' }] }, 'the charge of pi_1 has 2 orders'],
  ['nobody paid for an order', { orders: [...right.orders, { intentId: null }] }, 'an order stands on null, which nobody paid'],
  ['a card was charged twice', { charged: ['pi_1', 'pi_2', 'pi_2'] }, '1 intents were charged twice'],
  ['a charge is lost', { charged: ['pi_1'], orders: [{ intentId: 'pi_1' }] }, 'intent pi_2 was said to be paid, and is not'],
  ['a photo is lost', { photos: [] }, 'photo a.jpg was taken and is not there'],
  ['a photo is never ready', { photos: [{ filename: 'a.jpg', state: 'stored' }] }, 'photo a.jpg was taken and is stored'],
])('%s', (_what, broken, fault) => {
  expect(countFaults({ ...right, ...broken })).toEqual([fault]);
}); // prettier-ignore
