import { jest, test } from '@jest/globals';
import { followTheLine, type Purchase } from './line.ts';
import { useSetup } from './setup.ts';

jest.setTimeout(120_000);

const setup = useSetup();

/** Beside the one of line.test.ts. */
const PURCHASES: readonly Purchase[] = [
  { language: 'en', width: 1280, trees: 5, currency: 'USD', amount: '20.00' },
  { language: 'es', width: 1280, trees: 5, currency: 'COP', amount: '82.300' },
  { language: 'en', width: 360, trees: 7, currency: 'USD', amount: '35.00' },
];

test.each(PURCHASES)(
  'in $language at $width px trees are bought by card, planted, photographed and completed, and donor and admin see it',
  (purchase) => followTheLine(setup, purchase),
);
