import { expect, test } from '@jest/globals';
import { run } from '../soak.ts';

const PATIENCE_MS = 300_000;

test(
  'nothing is lost or refused at a usual load, and twice too much is turned away politely',
  async () => {
    const { violations } = await run({ short: true, print: () => undefined, settings: {} });
    expect(violations).toEqual([]);
  },
  PATIENCE_MS,
);
