import { expect, test } from '@jest/globals';
import { run } from '../faults.ts';

const PATIENCE_MS = 300_000;

test(
  'what an engine does not give is refused clearly, the rest is served, and all catches up',
  async () => {
    const { violations } = await run({ short: true, print: () => undefined, settings: {} });
    expect(violations).toEqual([]);
  },
  PATIENCE_MS,
);
