import { expect, test } from '@jest/globals';
import { join } from 'node:path';
import { brokenPromises } from './promises.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

test('what the last release promised still holds: npm run release -- check', async () => {
  expect(await brokenPromises(ROOT)).toEqual([]);
});
