import { expect, test } from '@jest/globals';
import { placeFault } from './colombia.ts';

test.each([
  ['Salento', 4.637214, -75.487031],
  ['Leticia', -4.2153, -69.9406],
  ['Providencia', 13.38, -81.37],
  ['Punta Gallinas', 12.4589, -71.6686],
  ['the mouth of the Guainía', 1.226, -66.8473],
  ['Malpelo', 4.0, -81.6],
])('%s is a place in Colombia', (_name, latitude, longitude) => {
  expect(placeFault({ latitude, longitude })).toBeUndefined();
});

test.each([
  [0, 0, 'latitude', 'zero'],
  [0, -75.487031, 'latitude', 'zero'],
  [4.637214, 0, 'longitude', 'zero'],
  [-75.487031, 4.637214, 'latitude', 'swapped'],
  [75.487031, 4.637214, 'latitude', 'swapped'],
  [-69.94, -4.21, 'latitude', 'swapped'],
  [4.637214, 75.487031, 'longitude', 'minus'],
  [40.4168, -3.7038, 'latitude', 'outside'],
  [4.637214, -58, 'longitude', 'outside'],
  [-12.05, -77.04, 'latitude', 'outside'],
  [40.4168, 75, 'latitude', 'outside'],
])('%d, %d is questioned: %s, %s', (latitude, longitude, field, why) => {
  expect(placeFault({ latitude, longitude })).toEqual({ field, why });
});
