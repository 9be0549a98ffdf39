import { expect, test } from '@jest/globals';
import { missingOf } from './missing.ts';

const whole = { name: 'Sofía', email: 'sofia@correo.co', hasCard: true, hasPrice: true, pictures: 1 };

test('a card payment needs name, email and the card library', () => {
  expect(missingOf({ ...whole, method: 'stripe', pictures: 0 })).toEqual([]);
  expect(missingOf({ ...whole, method: 'stripe', name: ' ', email: '', hasCard: false })).toEqual([
    'name',
    'email',
    'card',
  ]);
});

test('a transfer needs name, email, its amount and a picture', () => {
  expect(missingOf({ ...whole, method: 'bancolombia', hasCard: false })).toEqual([]);
  expect(missingOf({ ...whole, method: 'bancolombia', hasPrice: false, pictures: 0 })).toEqual([
    'price',
    'evidence',
  ]);
});
