import { expect, test } from '@jest/globals';
import { albumsOf } from './Album.tsx';

test('separates planting photos from growth updates, latest update first', () => {
  const photos = [
    { id: 'a' },
    { id: 'b', growthUpdate: 1 },
    { id: 'c' },
    { id: 'd', growthUpdate: 2 },
    { id: 'e', growthUpdate: 1 },
  ];
  const { planting, updates } = albumsOf(photos);
  expect(planting.map(({ id }) => id)).toEqual(['a', 'c']);
  expect(updates.map(({ number, photos: taken }) => [number, taken.map(({ id }) => id)])).toEqual([
    [2, ['d']],
    [1, ['b', 'e']],
  ]);
});
