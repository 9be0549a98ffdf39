import { dayOf } from '@arboleda/contracts/time-zone.ts';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { camt, ofx } from './files.ts';
import { ACCOUNT, GROVE_MINOR, startTestStatements, type TestStatements } from './statements.ts';

jest.setTimeout(60_000);

let statements: TestStatements;
beforeAll(async () => {
  statements = await startTestStatements();
});
afterAll(() => statements.close());

const dayAgo = (days: number) => dayOf(Date.now() - days * 86_400_000);
let serial = 0;
const unique = () => `MARK${++serial}X`;
/** No two tests share a sum. */
const someMinor = () => 1_000_000 + ++serial * 100;

interface Said {
  day?: string;
  amountMinor?: number;
  name?: string;
  number?: string;
}
/** @returns the row of a credit that was imported */
async function credited(text: string, { day = dayAgo(3), amountMinor = GROVE_MINOR, ...more }: Said = {}) {
  const mark = unique();
  await statements.import([{ day, amountMinor, text: `${mark} ${text}`.trim(), ...more }]);
  return Object.assign(await statements.row(mark), { mark });
}
/** @returns the debit that was imported */
async function debited(text: string, { day = dayAgo(2), amountMinor = GROVE_MINOR, ...more }: Said = {}) {
  const mark = unique();
  await statements.import([{ day, amountMinor: -amountMinor, text: `${text} ${mark}`.trim(), ...more }]);
  return Object.assign(await statements.debit(mark), { mark });
}
/** A transfer of a buyer, and a sum, of its own. */
async function announced() {
  const { orderId, reference } = await statements.send({
    customerEmail: `buyer-${++serial}@example.org`,
    packageType: 'custom',
    trees: String(serial),
  });
  return { orderId, reference, amountMinor: Number((await statements.order(orderId)).amount) };
}
const approve = (rowId: string, orderId: string) =>
  statements.post('POST /api/admin/statement-rows/approve', { rows: [{ rowId, orderId }] });
const link = (body: object) => statements.post('POST /api/admin/statement-rows/link', body);
const decide = (how: 'return' | 'refund' | 'dismiss', body: object) =>
  statements.post(`POST /api/admin/statement-debits/${how}`, body);
/** The last row of the audit log about an order. */
const auditedOf = async (orderId: string) => {
  const [row] = await statements.query<{ entry: object }>(
    'select entry from _audit_log where order_id = $1 order by seq desc limit 1',
    [orderId],
  );
  return row?.entry;
};
const eventsOf = (
  type: 'payment.return_suspected' | 'payment.return_settled' | 'payment.refunded',
  id: string,
) => statements.events.all(type).filter(({ data }) => data.orderId === id);

/** A transfer, paid by a row. */
async function approved(more: Said = {}) {
  const { orderId, reference, amountMinor } = await announced();
  const row = await credited(reference, { amountMinor, ...more });
  expect((await approve(row.rowId, orderId)).body.results).toMatchObject([{ outcome: 'approved' }]);
  return { orderId, reference, amountMinor, row };
}

describe('a credit that went back', () => {
  test.each([
    ['our reference', (reference: string) => reference, {}],
    ['a word for it', () => 'Devolución de transferencia', {}],
    ['another word', () => 'REVERSO POR RECHAZO', {}],
    ['the payer', () => 'TRANSFERENCIA', { name: 'ANA LUCIA QUINTERO' }],
    ['the bank’s number', () => 'NOTA DEBITO 5550001234', {}],
    ['an English word', () => 'RETURNED PAYMENT', {}],
  ])('is not approved with one click, by %s', async (_why, textOf, more) => {
    const { orderId, reference, amountMinor } = await announced();
    const row = await credited(reference, { amountMinor, name: 'ANA LUCIA QUINTERO', number: '5550001234' });
    expect(row.list).toBe('sure');
    const debit = await debited(textOf(reference), { amountMinor, ...more });
    expect(debit).toMatchObject({ list: 'returns', amount: amountMinor, credits: [{ rowId: row.rowId }] });
    const after = await statements.row(row.mark);
    expect(after).toMatchObject({ list: 'perhaps', returns: [{ debitId: debit.debitId, day: dayAgo(2) }] });
    expect((await approve(row.rowId, orderId)).body.results).toMatchObject([
      { outcome: 'refused', problem: 'statement-row-unsure' },
    ]);
    expect(await link({ rowIds: [row.rowId], orderId })).toMatchObject({
      status: 409,
      body: { type: 'statement-row-returned' },
    });
    expect((await statements.order(orderId)).manualPayment.verificationStatus).toBe('pending');
    expect((await decide('return', { debitId: debit.debitId, rowId: row.rowId })).status).toBe(200);
    expect(await statements.row(row.mark)).toMatchObject({ list: 'done', decision: { kind: 'ignored' } });
    expect(await statements.debit(debit.mark)).toMatchObject({
      list: 'done',
      decision: { kind: 'return', by: { id: 'clara' } },
      credits: [{ rowId: row.rowId }],
    });
  });

  test('and its debit are found in one file, whatever its format', async () => {
    for (const [name, file] of [
      ['a.ofx', ofx],
      ['a.xml', camt],
    ] as const) {
      const amountMinor = someMinor();
      const mark = unique();
      const lines = [
        { day: dayAgo(1), amountMinor, text: `${mark} PAGO`, number: `${mark}1` },
        { day: dayAgo(1), amountMinor: -amountMinor, text: `REVERSO ${mark}`, number: `${mark}2` },
      ];
      const account = ACCOUNT.replace(/\D/g, '');
      const draft = await statements.upload(file(lines, account), 'clara', name);
      await statements.confirm(draft.body.statement.statementId);
      const { rowId } = await statements.row(mark);
      expect(await statements.debit(mark)).toMatchObject({ list: 'returns', credits: [{ rowId }] });
    }
  });

  test('in camt.053 without any text, by the bank’s mark alone', async () => {
    const amountMinor = someMinor();
    const entry = (kind: string, number: string, more = '') =>
      `<Ntry><Amt Ccy="COP">${amountMinor / 100}</Amt><CdtDbtInd>${kind}</CdtDbtInd>${more}<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${dayAgo(1)}</Dt></BookgDt><AcctSvcrRef>${number}</AcctSvcrRef></Ntry>`;
    const [credit, debit] = [unique(), unique()];
    const file = `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Acct><Id><Othr><Id>${ACCOUNT.replace(/\D/g, '')}</Id></Othr></Id><Ccy>COP</Ccy></Acct>${entry('CRDT', credit)}${entry('DBIT', debit, '<RvslInd>true</RvslInd>')}</Stmt></BkToCstmrStmt></Document>`;
    const draft = await statements.upload(Buffer.from(file), 'clara', 'a.xml');
    await statements.confirm(draft.body.statement.statementId);
    const { rowId } = await statements.row(credit);
    expect(await statements.debit(debit)).toMatchObject({
      list: 'returns',
      isReversal: true,
      credits: [{ rowId, reasons: ['words', 'amount'] }],
    });
  });

  test('is found when the file with its debit was imported first', async () => {
    const { reference, amountMinor } = await announced();
    const debit = await debited(`DEVOLUCION ${reference}`, { amountMinor });
    const row = await credited(reference, { amountMinor });
    expect(row).toMatchObject({ list: 'perhaps', returns: [{ debitId: debit.debitId }] });
    expect((await decide('return', { debitId: debit.debitId, rowId: row.rowId })).status).toBe(200);
  });

  test('is sure again when an admin says that the debit is something else', async () => {
    const { orderId, reference, amountMinor } = await announced();
    const row = await credited(reference, { amountMinor });
    const debit = await debited(`PAGO ${reference}`, { amountMinor });
    expect((await statements.row(row.mark)).list).toBe('perhaps');
    expect(await decide('dismiss', { debitId: debit.debitId })).toMatchObject({
      body: { debit: { list: 'done', decision: { kind: 'other' } } },
    });
    expect((await statements.row(row.mark)).list).toBe('sure');
    expect((await approve(row.rowId, orderId)).body.results).toMatchObject([{ outcome: 'approved' }]);
  });

  test('is only taken from the sure ones when the sum alone speaks for it', async () => {
    const { orderId, reference, amountMinor } = await announced();
    const row = await credited(reference, { amountMinor });
    const debit = await debited('COMPRA VIVERO', { amountMinor });
    expect(await statements.row(row.mark)).toMatchObject({
      list: 'perhaps',
      returns: [{ reasons: ['amount'] }],
    });
    expect((await link({ rowIds: [row.rowId], orderId })).body.outcome).toBe('approved');
    expect(eventsOf('payment.return_suspected', orderId)).toEqual([]);
    await decide('dismiss', { debitId: debit.debitId });
  });
});

test('a credit that says it takes a debit back is not sure', async () => {
  const { reference, amountMinor } = await announced();
  expect(await credited(`DEVOLUCION ${reference}`, { amountMinor })).toMatchObject({
    list: 'perhaps',
    isReversal: true,
  });
});

test.each([
  ['another sum', 'DEVOLUCION', { amountMinor: 77 }],
  ['a day before', 'DEVOLUCION', { day: dayAgo(9) }],
  ['more than 60 days later', 'DEVOLUCION', { day: dayAgo(1), from: dayAgo(62) }],
])(
  'a debit of %s takes no credit from the sure ones',
  async (_what, text, { from, ...more }: Said & { from?: string }) => {
    const { orderId, reference, amountMinor } = await announced();
    const row = await credited(reference, { amountMinor, day: from ?? dayAgo(3) });
    await debited(text, { amountMinor, ...more });
    expect(await statements.row(row.mark)).not.toHaveProperty('returns');
    expect((await statements.row(row.mark)).list).toBe('sure');
    await approve(row.rowId, orderId);
  },
);

describe('a debit after the approval', () => {
  test('tells admins once, in a later statement, and names the order that waits', async () => {
    const { orderId, reference, amountMinor, row } = await approved();
    const debit = await debited(`RECHAZO ${reference}`, { amountMinor, day: dayAgo(1), number: 'N-77' });
    const { data } = await statements.events.next(
      'payment.return_suspected',
      (one) => one.data.orderId === orderId,
    );
    expect(data).toMatchObject({
      debitId: debit.debitId,
      amountMinor,
      currency: 'COP',
      day: dayAgo(1),
    });
    expect(await statements.debit(debit.mark)).toMatchObject({
      credits: [{ rowId: row.rowId, orders: [{ orderId, verificationStatus: 'approved' }] }],
      heldOrders: [{ orderId }],
    });
    await credited('something else', { amountMinor: someMinor() });
    expect(eventsOf('payment.return_suspected', orderId)).toHaveLength(1);
  });

  test('counts as a refund once an admin says that it took the money back', async () => {
    const { orderId, reference, amountMinor, row } = await approved();
    const debit = await debited(`DEVUELTO ${reference}`, { amountMinor, number: 'N-78' });
    const answer = await decide('return', { debitId: debit.debitId, rowId: row.rowId });
    expect(answer).toMatchObject({ status: 200, body: { debit: { list: 'done', heldOrders: [] } } });
    const { data: refund } = await statements.events.next(
      'payment.refunded',
      (one) => one.data.orderId === orderId,
    );
    expect(refund).toMatchObject({ amountMinor, isFull: true, by: { id: 'clara' } });
    const { data: settled } = await statements.events.next(
      'payment.return_settled',
      (one) => one.data.orderId === orderId,
    );
    expect(settled).toMatchObject({ debitId: debit.debitId, wasReturned: true });
    expect(await auditedOf(orderId)).toMatchObject({ by: { id: 'clara' }, action: 'statement.row_linked' });
    const { body } = await statements.admin('GET /api/admin/orders/{id}/payment', {
      params: { id: orderId },
    });
    expect(body.payment).toMatchObject({
      leftAmount: 0,
      refunds: [{ method: 'hand', status: 'succeeded', debit: { day: dayAgo(2), number: 'N-78' } }],
    });
    expect(await decide('dismiss', { debitId: debit.debitId })).toMatchObject({
      status: 409,
      body: { type: 'statement-row-taken' },
    });
  });

  test('lets the order go on once an admin says that it is something else', async () => {
    const { orderId, reference, amountMinor } = await approved();
    const debit = await debited(`REVERSO ${reference}`, { amountMinor });
    await statements.events.next('payment.return_suspected', (one) => one.data.orderId === orderId);
    await decide('dismiss', { debitId: debit.debitId });
    const { data } = await statements.events.next(
      'payment.return_settled',
      (one) => one.data.orderId === orderId,
    );
    expect(data).toMatchObject({ wasReturned: false, by: { id: 'clara' } });
    expect(eventsOf('payment.refunded', orderId)).toEqual([]);
  });

  test('is seen for a transfer that was approved without any statement', async () => {
    const { orderId, reference, amountMinor } = await announced();
    await statements.decideByHand(orderId, 'verify');
    const debit = await debited(`DEVOLUCION ${reference}`, { amountMinor, day: dayAgo(0) });
    expect(debit).toMatchObject({ credits: [{ orders: [{ orderId }] }], heldOrders: [{ orderId }] });
    expect((await decide('return', { debitId: debit.debitId, orderId })).status).toBe(200);
    expect(eventsOf('payment.refunded', orderId).length).toBeLessThanOrEqual(1);
    await statements.events.next('payment.refunded', (one) => one.data.orderId === orderId);
  });
});

describe('a refund by hand', () => {
  const refundByHand = async (orderId: string, body: object = {}) => {
    const payment = (
      await statements.admin('GET /api/admin/orders/{id}/payment', { params: { id: orderId } })
    ).body.payment;
    const answer = await statements.admin('POST /api/admin/payments/{id}/refunds', {
      params: { id: payment.paymentId },
      body: { reason: 'Asked for it', byHand: true, ...body },
    });
    expect(answer.status).toBe(201);
    return String(answer.body.refund.refundId);
  };
  const refundsOf = async (orderId: string) =>
    (await statements.admin('GET /api/admin/orders/{id}/payment', { params: { id: orderId } })).body.payment
      .refunds;

  test('is proven by its debit, which is no return then', async () => {
    const { orderId, reference, amountMinor } = await approved({ day: dayAgo(9) });
    const refundId = await refundByHand(orderId);
    const debit = await debited(`TRANSFERENCIA ENVIADA ${reference}`, {
      amountMinor,
      day: dayAgo(0),
      number: 'OUT-1',
    });
    expect(debit).toMatchObject({
      list: 'done',
      decision: { kind: 'refund', by: { role: 'system' } },
      refund: { refundId },
      credits: [],
    });
    expect(await refundsOf(orderId)).toMatchObject([
      { refundId, debit: { debitId: debit.debitId, day: dayAgo(0), number: 'OUT-1' } },
    ]);
    expect(eventsOf('payment.return_suspected', orderId)).toEqual([]);
  });

  test('that is still being sent shows its debit', async () => {
    const { orderId, reference, amountMinor } = await approved({ day: dayAgo(9) });
    await refundByHand(orderId, { claim: true });
    await debited(reference, { amountMinor, day: dayAgo(0), number: 'OUT-2' });
    expect(await refundsOf(orderId)).toMatchObject([{ status: 'pending', debit: { number: 'OUT-2' } }]);
  });

  test('of a sum that several have is proven by an admin', async () => {
    const amount = someMinor();
    const [one, other] = [await approved({ day: dayAgo(9) }), await approved({ day: dayAgo(9) })];
    const refundIds = [
      await refundByHand(one.orderId, { amount }),
      await refundByHand(other.orderId, { amount }),
    ];
    const debit = await debited('TRANSFERENCIA A TERCEROS', { day: dayAgo(0), amountMinor: amount });
    expect(debit.list).toBe('others');
    expect(debit.refunds.map(({ refundId }: { refundId: string }) => refundId).sort()).toEqual(
      [...refundIds].sort(),
    );
    const answer = await decide('refund', { debitId: debit.debitId, refundId: refundIds[1] });
    expect(answer.body.debit).toMatchObject({ list: 'done', refund: { refundId: refundIds[1] } });
    expect((await refundsOf(one.orderId))[0]).not.toHaveProperty('debit');
    expect(await auditedOf(other.orderId)).toMatchObject({ action: 'statement.row_linked' });
  });
});
