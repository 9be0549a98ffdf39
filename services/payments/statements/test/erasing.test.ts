import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { dayOf } from '@arboleda/contracts/time-zone.ts';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { csv, iso } from './files.ts';
import { GROVE_MINOR, startTestStatements, type TestStatements } from './statements.ts';

jest.setTimeout(60_000);

let statements: TestStatements;
beforeAll(async () => {
  statements = await startTestStatements();
});
afterAll(() => statements.close());

test('an erased buyer is in no row: not in theirs, in other parts of it, or in one that names their reference', async () => {
  const email = 'nora@arboleda.test';
  const { orderId, reference } = await statements.send({ customerEmail: email });
  const day = dayOf(new Date());
  const name = 'NORA QUINTERO';
  const file = [
    { day, amountMinor: GROVE_MINOR + 1_000, text: 'NORA PAYS', name },
    { day, amountMinor: 500, text: `NORA AGAIN ${reference}`, name },
    { day, amountMinor: 700, text: 'SOMEBODY ELSE', name: 'OTHER' },
  ];
  await statements.import(file);
  const { rowId } = await statements.row('NORA PAYS');
  await statements.post('POST /api/admin/statement-rows/link', {
    rowIds: [rowId],
    orderId,
    choice: 'give-back',
  });
  const named = () =>
    statements.query<{ name: string; text: string }>(
      `select name, text from statement_rows where name is not null or text <> '' order by id`,
    );
  // The row, its two parts, the one that names the reference, and another payer's.
  expect(await named()).toHaveLength(5);

  await statements.publish({
    type: 'customer.erased',
    data: { accountId: randomUUID(), email, ordersToo: true, at: new Date(Date.now() + 1_000).toISOString() },
  });
  await waitFor(async () => (await named()).length === 1);
  expect(await named()).toEqual([{ name: 'OTHER', text: 'SOMEBODY ELSE' }]);

  // Nor does the same file bring them back.
  const { body } = await statements.upload(csv(file, { day: iso }));
  expect((await statements.confirm(body.statement.statementId)).body.statement.added).toBe(0);
  expect(await named()).toHaveLength(1);
});

test('an erased buyer is in no debit of their money', async () => {
  const email = 'rosa@arboleda.test';
  const { orderId, reference } = await statements.send({
    customerEmail: email,
    customerName: 'Rosa Cifuentes',
  });
  const day = dayOf(new Date());
  await statements.import([
    { day, amountMinor: GROVE_MINOR, text: reference, name: 'ROSA CIFUENTES' },
    { day, amountMinor: -GROVE_MINOR, text: 'TRANSFERENCIA', name: 'ROSA CIFUENTES' },
    { day, amountMinor: -900, text: `ROSA ${reference}` },
    { day, amountMinor: -700, text: 'ROSA THE NURSERY' },
  ]);
  expect((await statements.row(reference)).orders[0].orderId).toBe(orderId);
  const named = () =>
    statements.query<{ text: string }>(
      `select text from statement_debits where name is not null or text like '%ROSA%' order by text`,
    );
  expect(await named()).toHaveLength(3);
  await statements.publish({
    type: 'customer.erased',
    data: { accountId: randomUUID(), email, ordersToo: true, at: new Date(Date.now() + 1_000).toISOString() },
  });
  await waitFor(async () => (await named()).length === 1);
  expect(await named()).toEqual([{ text: 'ROSA THE NURSERY' }]);
});
