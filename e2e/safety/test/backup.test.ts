import { expect, test } from '@jest/globals';
import { rehearseEmbedded } from '../rehearsal/embedded.ts';

test('an installation that was lost comes back from its backup, row by row and byte by byte', async () => {
  const { rows, violations } = await rehearseEmbedded({ purchases: 4 });
  expect(violations).toEqual([]);
  expect(rows).toHaveLength(6);
  // Longer than the longest wait inside, so that its error is reported.
}, 400_000);
