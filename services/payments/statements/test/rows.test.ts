import { dayOf } from '@arboleda/contracts/time-zone.ts';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { GROVE_MINOR, startTestStatements, type TestStatements } from './statements.ts';

jest.setTimeout(60_000);

let statements: TestStatements;
beforeAll(async () => {
  statements = await startTestStatements();
});
afterAll(() => statements.close());

const today = () => dayOf(new Date());
let serial = 0;
const unique = () => `ROW${++serial}X`;
/** @returns the row */
async function imported(amountMinor: number, text = '', who: 'clara' | 'diego' = 'clara') {
  const mark = unique();
  await statements.import([{ day: today(), amountMinor, text: `${mark} ${text}` }], who);
  return statements.row(mark);
}
const approve = (rows: { rowId: string; orderId: string }[], who: 'clara' | 'diego' = 'clara') =>
  statements.post('POST /api/admin/statement-rows/approve', { rows }, who);
const link = (body: object, who: 'clara' | 'diego' = 'clara') =>
  statements.post('POST /api/admin/statement-rows/link', body, who);

test('sure money is approved with one confirmation, and the order proceeds', async () => {
  const sent = [await statements.send(), await statements.send()];
  const rows = [];
  for (const { reference } of sent)
    rows.push(await imported(GROVE_MINOR, reference.replace('-', '').toLowerCase()));
  expect(rows.map(({ list }) => list)).toEqual(['sure', 'sure']);
  expect((await statements.order(sent[0]!.orderId)).manualPayment.statement).toMatchObject({
    rows: [{ rowId: rows[0].rowId, day: today(), amount: GROVE_MINOR, currency: 'COP' }],
    lastDay: today(),
  });
  const asked = rows.map(({ rowId, orders }) => ({ rowId, orderId: orders[0].orderId }));
  const { body } = await approve(asked);
  expect(body.results).toEqual(asked.map((one) => ({ ...one, outcome: 'approved' })));
  const { orderId } = sent[0]!;
  const event = await statements.events.next('payment.succeeded', ({ data }) => data.orderId === orderId);
  expect(event.data).toMatchObject({ amountMinor: GROVE_MINOR, approvedBy: { id: 'clara' } });
  const matched = await statements.events.next('transfer.matched', ({ data }) => data.orderId === orderId);
  expect(matched.data).toMatchObject({ rowIds: [rows[0].rowId], receivedMinor: GROVE_MINOR });
  expect((await statements.order(orderId)).manualPayment).toMatchObject({
    verificationStatus: 'approved',
    approval: { amountReceived: GROVE_MINOR },
    flags: [],
  });
});

test('approving again, or both admins at once, approves once', async () => {
  const { orderId, reference } = await statements.send();
  const { rowId } = await imported(GROVE_MINOR, reference);
  const answers = await Promise.all([
    approve([{ rowId, orderId }]),
    approve([{ rowId, orderId }], 'diego'),
    approve([{ rowId, orderId }]),
  ]);
  expect(answers.flatMap(({ body }) => body.results)).toEqual(
    Array.from({ length: 3 }, () => ({ rowId, orderId, outcome: 'approved' })),
  );
  const events = await statements.query(`select 1 from statement_rows where order_id = $1`, [orderId]);
  expect(events).toHaveLength(1);
});

test('a transfer that is announced after its row was imported is sure too', async () => {
  const { referenceNumber } = (await statements.admin('GET /api/manual-payments/reference')).body;
  const row = await imported(GROVE_MINOR, referenceNumber);
  expect(row.list).toBe('unknown');
  await statements.send({ referenceNumber });
  expect((await statements.row(row.text.split(' ')[0])).list).toBe('sure');
});

test('what is not sure is not approved by the list', async () => {
  const { orderId, reference } = await statements.send();
  const { rowId, list, orders } = await imported(GROVE_MINOR - 1, reference);
  expect([list, orders[0].reasons]).toEqual(['perhaps', ['reference', 'amount-differs']]);
  expect((await approve([{ rowId, orderId }])).body.results).toEqual([
    { rowId, orderId, outcome: 'refused', problem: 'statement-row-unsure' },
  ]);
  const { orderId: other } = await statements.send();
  expect((await approve([{ rowId, orderId: other }])).body.results[0].outcome).toBe('refused');
});

describe('an admin links rows', () => {
  test('by sum and name, and the order is approved', async () => {
    const { orderId } = await statements.send({ customerName: 'Fernanda Iriarte', referenceNumber: '' });
    const row = await imported(GROVE_MINOR, 'FERNANDA IRIARTTE');
    expect([row.list, row.orders[0]]).toMatchObject(['perhaps', { orderId, reasons: ['amount', 'name'] }]);
    expect(await link({ rowIds: [row.rowId], orderId })).toMatchObject({
      status: 200,
      body: { outcome: 'approved', rows: [{ rowId: row.rowId, list: 'done', decision: { kind: 'linked' } }] },
    });
  });

  test('several to one order, of which the first waits for the rest', async () => {
    const { orderId, reference } = await statements.send();
    const first = await imported(5_000_000, reference);
    expect(await link({ rowIds: [first.rowId], orderId })).toMatchObject({
      status: 409,
      body: { type: 'amount-choice-required' },
    });
    expect((await link({ rowIds: [first.rowId], orderId, choice: 'wait' })).body.outcome).toBe('waiting');
    expect((await statements.order(orderId)).manualPayment.verificationStatus).toBe('pending');
    const rest = await imported(GROVE_MINOR - 5_000_000);
    expect((await link({ rowIds: [rest.rowId], orderId })).body.outcome).toBe('approved');
    const { statement } = (await statements.order(orderId)).manualPayment;
    expect(statement.rows.map(({ amount }: { amount: number }) => amount).sort()).toEqual([
      3_230_000, 5_000_000,
    ]);
  });

  test('one row never to two orders', async () => {
    const [one, other] = [await statements.send(), await statements.send()];
    const { rowId } = await imported(GROVE_MINOR);
    const answers = await Promise.all([
      link({ rowIds: [rowId], orderId: one.orderId }),
      link({ rowIds: [rowId], orderId: other.orderId }, 'diego'),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)!.body.type).toBe('statement-row-taken');
  });

  test('and gives back what is too much', async () => {
    const { orderId, reference } = await statements.send();
    const { rowId } = await imported(GROVE_MINOR + 1_000, reference);
    const { body } = await link({ rowIds: [rowId], orderId, choice: 'give-back' });
    expect(body.outcome).toBe('approved');
    expect(body.rows).toMatchObject([
      { rowId, decision: { kind: 'split' } },
      { partOf: rowId, amount: GROVE_MINOR, orders: [{ orderId }] },
      { partOf: rowId, amount: 1_000, list: 'without-order', owner: { id: 'clara' } },
    ]);
  });

  test('for as many trees as were paid', async () => {
    const { orderId, reference } = await statements.send();
    const { rowId } = await imported(5_000_000, reference);
    await link({ rowIds: [rowId], orderId, choice: 'change-trees' });
    const { data } = await statements.events.next(
      'payment.succeeded',
      (event) => event.data.orderId === orderId,
    );
    expect(data).toMatchObject({ trees: 3, treesAsked: 5, amountMinor: 5_000_000 });
    expect(await statements.order(orderId)).toMatchObject({ trees: 3, amount: 5_000_000 });
  });

  test('not to an order that does not exist', async () => {
    const { rowId } = await imported(GROVE_MINOR);
    expect((await link({ rowIds: [rowId], orderId: 'f'.repeat(24) })).status).toBe(404);
    const { orderId } = await statements.send();
    expect((await link({ rowIds: ['nobodys-row'], orderId })).status).toBe(404);
  });
});

describe('an admin', () => {
  const change = (
    what: 'split' | 'ignore' | 'keep' | 'undo',
    body: object,
    who: 'clara' | 'diego' = 'clara',
  ) => statements.post(`POST /api/admin/statement-rows/${what}`, body, who);

  test('splits one credit between two orders, and takes it back', async () => {
    const [one, other] = [await statements.send(), await statements.send()];
    const { rowId } = await imported(2 * GROVE_MINOR);
    expect(await change('split', { rowId, amounts: [GROVE_MINOR, 1] })).toMatchObject({
      status: 422,
      body: { type: 'split-sum-differs' },
    });
    await change('split', { rowId, amounts: [1, 2 * GROVE_MINOR - 1] });
    await change('undo', { rowIds: [rowId] });
    const { body } = await change('split', { rowId, amounts: [GROVE_MINOR, GROVE_MINOR] });
    const parts = body.rows.filter(({ partOf }: { partOf?: string }) => partOf === rowId);
    for (const [at, { orderId }] of [one, other].entries())
      expect((await link({ rowIds: [parts[at].rowId], orderId })).body.outcome).toBe('approved');
    expect((await change('undo', { rowIds: [rowId] })).body.type).toBe('statement-row-taken');
  });

  test('ignores rows with a reason, and takes it back', async () => {
    const { rowId } = await imported(77);
    expect((await change('ignore', { rowIds: [rowId], reason: '  ' })).status).toBe(422);
    const { body } = await change('ignore', { rowIds: [rowId], reason: 'Interest' });
    expect(body.rows[0]).toMatchObject({ list: 'done', decision: { kind: 'ignored', reason: 'Interest' } });
    expect((await change('ignore', { rowIds: [rowId], reason: 'Again' })).body.rows[0].decision.reason).toBe(
      'Interest',
    );
    expect((await change('undo', { rowIds: [rowId] })).body.rows[0]).toMatchObject({ list: 'unknown' });
  });

  test('looks after money without an order', async () => {
    const { orderId, reference } = await statements.send();
    await statements.decideByHand(orderId, 'reject');
    const { rowId, list, owner } = await imported(GROVE_MINOR, reference, 'diego');
    expect([list, owner.id]).toEqual(['without-order', 'diego']);
    expect((await change('keep', { rowIds: [rowId] })).body.rows[0].owner.id).toBe('clara');
    const { withoutOrder } = (await statements.admin('GET /api/admin/money/attention')).body;
    const { counts } = await statements.list('without-order');
    expect(withoutOrder).toMatchObject({ count: counts.withoutOrder, oldestDay: today() });
    await change('ignore', { rowIds: [rowId], reason: 'Given back on Monday' });
    expect((await statements.list('without-order')).counts.withoutOrder).toBe(counts.withoutOrder - 1);
  });

  test('finds the money of an order that was rejected while it waited', async () => {
    const { orderId, reference } = await statements.send();
    const { rowId } = await imported(1_000_000, reference);
    await link({ rowIds: [rowId], orderId, choice: 'wait' });
    await statements.decideByHand(orderId, 'reject');
    const { rows } = await statements.list('without-order', { limit: '200' });
    expect(rows.map((row: { rowId: string }) => row.rowId)).toContain(rowId);
    expect((await change('undo', { rowIds: [rowId] })).status).toBe(200);
  });

  test('lets the money of a rejected order pay another at once', async () => {
    const { orderId: rejected, reference } = await statements.send();
    const { rowId } = await imported(GROVE_MINOR - 1, reference);
    await link({ rowIds: [rowId], orderId: rejected, choice: 'wait' });
    await statements.decideByHand(rejected, 'reject');
    const { orderId } = await statements.send();
    const rest = await imported(1);
    expect((await link({ rowIds: [rowId, rest.rowId], orderId })).body).toMatchObject({
      outcome: 'approved',
      rows: [{ orders: [{ orderId }] }, { orders: [{ orderId }] }],
    });
  });

  test('takes a link back until an order was approved with it', async () => {
    const { orderId, reference } = await statements.send();
    const { rowId } = await imported(1_000_000, reference);
    await link({ rowIds: [rowId], orderId, choice: 'wait' });
    expect((await change('undo', { rowIds: [rowId] })).body.rows[0].list).toBe('perhaps');
    await link({ rowIds: [rowId], orderId, choice: 'change-trees' }, 'clara').then(({ status }) =>
      expect(status).toBe(409),
    );
    const rest = await imported(GROVE_MINOR - 1_000_000);
    await link({ rowIds: [rowId, rest.rowId], orderId });
    expect(await change('undo', { rowIds: [rowId] })).toMatchObject({
      status: 409,
      body: { type: 'statement-row-approved' },
    });
  });

  test('pages through a list', async () => {
    await statements.import(
      Array.from({ length: 5 }, (_, at) => ({ day: '2025-01-01', amountMinor: 11, text: `PAGED ${at}` })),
    );
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await statements.list('unknown', { q: 'paged', limit: '2', ...(cursor && { cursor }) });
      seen.push(...page.rows.map(({ rowId }: { rowId: string }) => rowId));
      cursor = page.nextCursor;
    } while (cursor);
    expect(new Set(seen).size).toBe(5);
  });
});
