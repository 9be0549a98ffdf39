import { expect, test } from '@jest/globals';
import { run } from '../webhooks.ts';

const PATIENCE_MS = 300_000;

test(
  'whatever order webhooks come in, and whether they come at all, all ends alike',
  async () => {
    const { violations } = await run({ short: true, print: () => undefined, settings: {} });
    expect(violations).toEqual([]);
  },
  PATIENCE_MS,
);
