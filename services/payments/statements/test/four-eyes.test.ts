import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { GROVE_MINOR, startTestStatements, type TestStatements } from '../testing/statements.ts';

jest.setTimeout(60_000);

let statements: TestStatements;
beforeAll(async () => {
  statements = await startTestStatements({ transfers: { secondAdminAboveUsd: 10, autoApproveUpToUsd: 100 } });
});
afterAll(() => statements.close());

type Who = 'clara' | 'diego';
const today = () => new Date().toISOString().slice(0, 10);
let serial = 0;
/** @returns the row */
async function imported(amountMinor: number, text = '', who: Who = 'clara') {
  const mark = `EYES${++serial}X`;
  await statements.import([{ day: today(), amountMinor, text: `${mark} ${text}` }], who);
  return statements.row(mark);
}
const approve = (rows: { rowId: string; orderId: string }[], who: Who = 'clara') =>
  statements.post('POST /api/admin/statement-rows/approve', { rows }, who);
const link = (body: object, who: Who = 'clara') =>
  statements.post('POST /api/admin/statement-rows/link', body, who);
const undo = (rowIds: string[]) => statements.post('POST /api/admin/statement-rows/undo', { rowIds });
const paymentOf = async (orderId: string) => (await statements.order(orderId)).manualPayment;

describe('where two admins are needed', () => {
  test('whoever imported counts as one of them', async () => {
    const { orderId, reference } = await statements.send();
    const { rowId } = await imported(GROVE_MINOR, reference, 'diego');
    const { body } = await approve([{ rowId, orderId }]);
    expect(body.results[0].outcome).toBe('approved');
    expect((await statements.order(orderId)).manualPayment).toMatchObject({
      firstApproval: { by: { id: 'diego' } },
      approval: { by: { id: 'clara' } },
    });
  });

  test('one who imported and approves is the first, and another approves it', async () => {
    const { orderId, reference } = await statements.send();
    const { rowId } = await imported(GROVE_MINOR, reference);
    const first = await approve([{ rowId, orderId }]);
    expect(first.body.results[0].outcome).toBe('first-approved');
    expect((await approve([{ rowId, orderId }])).body).toEqual(first.body);
    expect((await statements.decideByHand(orderId, 'verify', 'diego')).status).toBe(200);
  });

  test('the second one approves what the first one saw', async () => {
    const { orderId, reference } = await statements.send();
    const { rowId } = await imported(GROVE_MINOR, reference);
    await approve([{ rowId, orderId }]);
    const { body } = await approve([{ rowId, orderId }], 'diego');
    expect(body.results).toEqual([{ rowId, orderId, outcome: 'approved' }]);
    expect(await paymentOf(orderId)).toMatchObject({
      firstApproval: { by: { id: 'clara' } },
      approval: { by: { id: 'diego' }, amountReceived: GROVE_MINOR },
    });
  });

  test('both at once approve it together', async () => {
    const { orderId, reference } = await statements.send();
    const { rowId } = await imported(GROVE_MINOR, reference);
    await Promise.all([approve([{ rowId, orderId }]), approve([{ rowId, orderId }], 'diego')]);
    const { verificationStatus, firstApproval, approval } = await paymentOf(orderId);
    expect(verificationStatus).toBe('approved');
    expect(firstApproval.by.id).not.toBe(approval.by.id);
  });

  test('a small row of another importer does not vouch for a large one of one’s own', async () => {
    const { orderId } = await statements.send();
    const own = await imported(GROVE_MINOR - 1);
    const others = await imported(1, '', 'diego');
    await link({ rowIds: [own.rowId], orderId, choice: 'wait' });
    expect((await link({ rowIds: [others.rowId], orderId })).body.outcome).toBe('first-approved');
    expect((await paymentOf(orderId)).verificationStatus).toBe('pending');
    expect((await link({ rowIds: [others.rowId], orderId }, 'diego')).body.outcome).toBe('approved');
  });

  test('the first approval ends when one of its rows is taken back', async () => {
    const { orderId } = await statements.send();
    const [one, other] = [await imported(GROVE_MINOR - 1), await imported(1)];
    const { body } = await link({ rowIds: [one.rowId, other.rowId], orderId });
    expect(body.outcome).toBe('first-approved');
    await undo([one.rowId]);
    expect(await paymentOf(orderId)).not.toHaveProperty('firstApproval');
    expect((await link({ rowIds: [other.rowId], orderId }, 'diego')).body.outcome).toBe('waiting');
  });

  test('a row stays with its order when the second admin approves by hand', async () => {
    const { orderId, reference } = await statements.send();
    const { rowId } = await imported(GROVE_MINOR, reference);
    await approve([{ rowId, orderId }]);
    await statements.decideByHand(orderId, 'verify', 'diego');
    expect(await undo([rowId])).toMatchObject({ status: 409, body: { type: 'statement-row-approved' } });
  });

  test('the first approval ends when its row is taken back', async () => {
    const { orderId, reference } = await statements.send();
    const { rowId } = await imported(GROVE_MINOR, reference);
    await approve([{ rowId, orderId }]);
    await undo([rowId]);
    const { manualPayment } = await statements.order(orderId);
    expect(manualPayment).not.toHaveProperty('firstApproval');
    expect(manualPayment.verificationStatus).toBe('pending');
  });
});

test('an import approves small sure sums alone where that is set, but none that needs two admins', async () => {
  const [small, large] = [
    await statements.send({ packageType: 'individual', trees: '1' }),
    await statements.send(),
  ];
  const { approved } = await statements.import([
    { day: today(), amountMinor: 2_057_500, text: small.reference },
    { day: today(), amountMinor: GROVE_MINOR, text: large.reference },
  ]);
  expect(approved).toBe(1);
  expect((await statements.order(small.orderId)).manualPayment.approval).toMatchObject({
    by: { role: 'system' },
  });
  expect((await statements.order(large.orderId)).manualPayment.verificationStatus).toBe('pending');
});
