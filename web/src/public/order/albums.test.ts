import { expect, test } from '@jest/globals';
import { albumsOf } from './albums.ts';

test('photos of the planting stand apart from those of growth updates, the latest update first', () => {
  const photos = [{ id: 'a' }, { id: 'b', growthUpdate: 1 }, { id: 'c' }, { id: 'd', growthUpdate: 2 }, { id: 'e', growthUpdate: 1 }];
  const { planting, updates } = albumsOf(photos);
  expect(planting.map(({ id }) => id)).toEqual(['a', 'c']);
  expect(updates.map(({ number, photos: taken }) => [number, taken.map(({ id }) => id)])).toEqual([
    [2, ['d']],
    [1, ['b', 'e']],
  ]);
}); // prettier-ignore
