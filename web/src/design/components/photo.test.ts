import { expect, test } from '@jest/globals';
import { photoAddress } from './photo.ts';

test('a photo of an order comes from the server in the width asked for, a picture of the app from where it is', () => {
  expect(photoAddress({ filename: 'a b.jpg' }, 320)).toBe('/api/photos/a%20b.jpg?w=320');
  expect(photoAddress({ filename: '/assets/valley.webp' }, 320)).toBe('/assets/valley.webp');
});
