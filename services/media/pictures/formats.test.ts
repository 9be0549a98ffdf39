import { expect, test } from '@jest/globals';
import { wantedFormat } from './formats.ts';

test.each([
  [undefined, 'jpeg'],
  ['', 'jpeg'],
  ['*/*', 'jpeg'],
  ['image/*', 'jpeg'],
  ['text/html', 'jpeg'],
  ['image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8', 'avif'],
  ['image/webp,image/png,image/*;q=0.8', 'webp'],
  ['image/webp', 'webp'],
  ['IMAGE/AVIF', 'avif'],
  ['image/jpeg,image/webp', 'webp'],
  ['image/jpeg, image/webp;q=0.5', 'jpeg'],
  ['image/avif;q=0.5, image/webp;q=0.9', 'webp'],
  ['image/avif;q=0, image/webp;q=0', 'jpeg'],
  ['image/avif;q=nonsense', 'avif'],
  ['image/webp;q=0.4, */*;q=0.5', 'jpeg'],
  [',;,;q=', 'jpeg'],
])('who accepts %p is shown the photo as %s', (accept, format) => {
  expect(wantedFormat(accept)).toBe(format);
});
