import { expect, test } from '@jest/globals';
import { directionsAddress } from './directions.ts';

test('the way leads to the point', () => {
  expect(directionsAddress({ location: 'Salento', coordinates: { latitude: 4.6, longitude: -75.4 } })).toBe(
    'https://www.google.com/maps/dir/?api=1&destination=4.6%2C-75.4',
  );
});

test('without a point it leads to what the place is called, and without either nowhere', () => {
  expect(directionsAddress({ location: 'La Carbonera, Salento' })).toContain('Salento%2C+Colombia');
  expect(directionsAddress({ location: ' ' })).toBeUndefined();
});
