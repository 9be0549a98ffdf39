import { dayOf } from '@arboleda/contracts/time-zone.ts';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { MAX_APPROVED_AT_ONCE } from '@arboleda/contracts/statement.ts';
import { GROVE_MINOR, startTestStatements, type TestStatements } from './statements.ts';

jest.setTimeout(120_000);

let statements: TestStatements;
beforeAll(async () => {
  statements = await startTestStatements();
});
afterAll(() => statements.close());

const today = () => dayOf(new Date());

test('as many sure rows as one call may name are approved with it', async () => {
  const sent = [];
  for (let one = 0; one < MAX_APPROVED_AT_ONCE; one++)
    sent.push(await statements.send({ customerEmail: `buyer${one}@arboleda.test` }));
  await statements.import(
    sent.map(({ reference }) => ({ day: today(), amountMinor: GROVE_MINOR, text: `MANY ${reference}` })),
  );
  const { rows } = await statements.list('sure', { q: 'many', limit: '200' });
  expect(rows).toHaveLength(MAX_APPROVED_AT_ONCE);
  const { body } = await statements.post('POST /api/admin/statement-rows/approve', {
    rows: rows.map((row: { rowId: string; orders: { orderId: string }[] }) => ({
      rowId: row.rowId,
      orderId: row.orders[0]!.orderId,
    })),
  });
  expect(body.results.map(({ outcome }: { outcome: string }) => outcome)).toEqual(
    Array.from({ length: MAX_APPROVED_AT_ONCE }, () => 'approved'),
  );
  const approved = await statements.query(
    `select 1 from transfers where status = 'approved' and order_id = any($1)`,
    [sent.map(({ orderId }) => orderId)],
  );
  expect(approved).toHaveLength(MAX_APPROVED_AT_ONCE);
});
