import { expect, test } from '@jest/globals';
import { imageNames, sizeTable } from './image-sizes.ts';

test('images are listed once, in order', () => {
  expect(imageNames('arboleda/orders:latest\narboleda/auth:v2\narboleda/auth:latest\n')).toEqual([
    'arboleda/auth',
    'arboleda/orders',
  ]);
  expect(imageNames('\n')).toEqual([]);
});

test('an image that grew too big stands out', () => {
  const table = sizeTable([
    { name: 'arboleda/auth', bytes: 240e6 },
    { name: 'arboleda/orders', bytes: 300e6 },
  ]);
  expect(table).toBe('arboleda/auth     240 MB\narboleda/orders   300 MB   more than 250');
});
