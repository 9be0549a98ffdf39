import { expect, test } from '@jest/globals';
import { tmpdir } from 'node:os';
import { watchRoom } from './room.ts';

test.each([
  [1_000_000_000, true, true],
  [400_000_000, false, true],
  [100_000_000, false, false],
])('with %d bytes left: uploads %s, writes %s', async (free, uploads, writes) => {
  const room = await watchRoom(tmpdir(), async () => free);
  expect(room).toMatchObject({ uploads, writes });
  room.close();
});

test('the free space of a folder’s disk is measured', async () => {
  const room = await watchRoom(tmpdir());
  expect(typeof room.writes).toBe('boolean');
  room.close();
});
