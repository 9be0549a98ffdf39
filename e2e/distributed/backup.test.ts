import { expect, test } from '@jest/globals';
import { rehearseCompose } from '../safety/rehearsal/compose.ts';

test('what a backup holds is restored whole, also when people bought or an engine paused meanwhile', async () => {
  const { violations } = await rehearseCompose({ purchases: 3 });
  expect(violations).toEqual([]);
}, 1_800_000);
