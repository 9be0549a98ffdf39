import { expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { creditsOf } from './credit.ts';
import { matchRows, type Payable } from './match.ts';
import { readStatement } from './read/read.ts';

const FILE = new URL('../../../docs/bank-statement-demo.csv', import.meta.url);

const demo = (parts: Partial<Payable>): Payable => ({
  orderId: 'school',
  status: 'pending',
  amountMinor: 28_805_000,
  currency: 'COP',
  customerName: 'Mariana Duque',
  reference: 'ARBA5XXZ4',
  day: '2026-11-16',
  paidMinor: 0,
  ...parts,
});

test('the demo’s statement has a sure, a perhaps and an unknown row for the demo’s transfers', async () => {
  const { movements, questions } = await readStatement(await readFile(FILE), {
    currency: 'COP',
    layouts: {},
  });
  expect(questions).toEqual([]);
  const neighbours = {
    orderId: 'neighbours',
    status: 'approved' as const,
    amountMinor: 8_230_000,
    reference: 'ARB25VF4K',
  };
  const rows = creditsOf('000-000000-00', movements, 'COP');
  expect([...matchRows(rows, [demo({}), demo(neighbours)]).values()].map(({ list }) => list)).toEqual([
    'sure',
    'perhaps',
    'unknown',
  ]);
});
