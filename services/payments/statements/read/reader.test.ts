import { expect, jest, test } from '@jest/globals';
import { csv } from '../test/files.ts';
import { statementReader } from './reader.ts';

jest.setTimeout(60_000);

const line = { day: '2026-03-12', amountMinor: 500 };
const large = csv(
  Array.from({ length: 50_000 }, (_, at) => ({
    ...line,
    text: `PAGO ${at} `.repeat(20),
    name: `NOMBRE ${at}`,
  })),
);
const small = csv([{ ...line, text: 'PAGO' }]);

test('a small file does not wait for a large one', async () => {
  const read = statementReader();
  const reading = (bytes: Buffer) => read({ bytes, account: '1', currency: 'COP', layouts: {} });
  const inOrder: number[] = [];
  await Promise.all(
    [large, small, small].map(async (bytes) => {
      const { facts } = await reading(bytes);
      inOrder.push(facts.credits.count);
    }),
  );
  expect(inOrder).toEqual([1, 1, 50_000]);
});
