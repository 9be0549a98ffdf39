import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { GROVE_MINOR, startTestStatements, type TestStatements } from '../testing/statements.ts';

jest.setTimeout(120_000);

let statements: TestStatements;
beforeAll(async () => {
  statements = await startTestStatements();
});
afterAll(() => statements.close());

const today = () => new Date().toISOString().slice(0, 10);

test('a hundred sure rows are approved with one call', async () => {
  const sent = [];
  for (let one = 0; one < 100; one++)
    sent.push(await statements.send({ customerEmail: `buyer${one}@arboleda.test` }));
  await statements.import(
    sent.map(({ reference }) => ({ day: today(), amountMinor: GROVE_MINOR, text: `HUNDRED ${reference}` })),
  );
  const { rows } = await statements.list('sure', { q: 'hundred', limit: '200' });
  expect(rows).toHaveLength(100);
  const { body } = await statements.post('POST /api/admin/statement-rows/approve', {
    rows: rows.map((row: { rowId: string; orders: { orderId: string }[] }) => ({
      rowId: row.rowId,
      orderId: row.orders[0]!.orderId,
    })),
  });
  expect(body.results.map(({ outcome }: { outcome: string }) => outcome)).toEqual(
    Array.from({ length: 100 }, () => 'approved'),
  );
  const approved = await statements.query(
    `select 1 from transfers where status = 'approved' and order_id = any($1)`,
    [sent.map(({ orderId }) => orderId)],
  );
  expect(approved).toHaveLength(100);
});
