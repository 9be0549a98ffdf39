import { jest, test } from '@jest/globals';
import { followTheLine } from './line.ts';
import { useSetup } from './setup.ts';

jest.setTimeout(120_000);

const setup = useSetup();

test('trees are bought by card, planted, photographed and completed, and donor and admin see it', () =>
  followTheLine(setup, { language: 'es', width: 360, trees: 7, currency: 'COP', amount: '144.025' }));
