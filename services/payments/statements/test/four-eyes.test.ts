import { dayOf } from '@arboleda/contracts/time-zone.ts';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import type { EventData } from '@arboleda/contracts/events/index.ts';
import { GROVE_MINOR, startTestStatements, type TestStatements } from './statements.ts';

jest.setTimeout(60_000);

let statements: TestStatements;
beforeAll(async () => {
  statements = await startTestStatements({ transfers: { secondAdminAboveUsd: 10, autoApproveUpToUsd: 100 } });
});
afterAll(() => statements.close());

type Who = 'clara' | 'diego' | 'eva';
const today = () => dayOf(new Date());
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

describe('an admin who loses the right to approve', () => {
  type Role = EventData<'admin.role_changed'>['to'];
  const changed = async (who: Who, to: Role, active = true) => {
    const at = new Date().toISOString();
    const data = { accountId: who, name: who, email: `${who}@arboleda.test`, language: 'es' as const };
    await statements.publish({
      type: 'admin.role_changed',
      data: { ...data, from: 'owner', to, active, at },
    });
    await waitFor(
      async () =>
        (
          await statements.query('select from transfer_approvers where admin_id = $1 and changed_at = $2', [
            who,
            at,
          ])
        ).length > 0,
    );
  };
  const byHand = (orderId: string, who: Who) => statements.decideByHand(orderId, 'verify', who);
  const firstOf = async (orderId: string) => (await paymentOf(orderId)).firstApproval?.by.id;

  test.each([
    ['is deactivated', 'finance', false],
    ['gets a role without it', 'support', true],
  ] as const)('because they %s: their first approval no longer counts', async (_why, role, active) => {
    const { orderId } = await statements.send();
    await byHand(orderId, 'eva');
    await changed('eva', role, active);
    expect(await firstOf(orderId)).toBeUndefined();
    await byHand(orderId, 'diego');
    expect(await paymentOf(orderId)).toMatchObject({
      verificationStatus: 'pending',
      firstApproval: { by: { id: 'diego' } },
    });
    await byHand(orderId, 'clara');
    expect((await paymentOf(orderId)).verificationStatus).toBe('approved');
    await changed('eva', 'finance');
  });

  test('does not get an old approval back with the right, and can give a new one', async () => {
    const { orderId } = await statements.send();
    await byHand(orderId, 'eva');
    await changed('eva', 'support');
    await changed('eva', 'finance');
    expect(await firstOf(orderId)).toBeUndefined();
    await byHand(orderId, 'eva');
    expect(await firstOf(orderId)).toBe('eva');
    await changed('eva', 'owner');
    expect(await firstOf(orderId)).toBe('eva');
  });

  test('stays in the record of what they approved while they had it', async () => {
    const { orderId } = await statements.send();
    await byHand(orderId, 'eva');
    await byHand(orderId, 'diego');
    await changed('eva', 'support');
    expect(await paymentOf(orderId)).toMatchObject({
      verificationStatus: 'approved',
      firstApproval: { by: { id: 'eva' } },
    });
    await changed('eva', 'finance');
  });

  test('no longer counts as the importer of rows', async () => {
    const { orderId, reference } = await statements.send();
    const { rowId } = await imported(GROVE_MINOR, reference, 'eva');
    await changed('eva', 'support');
    const { body } = await approve([{ rowId, orderId }], 'diego');
    expect(body.results[0].outcome).toBe('first-approved');
    expect((await approve([{ rowId, orderId }])).body.results[0].outcome).toBe('approved');
    await changed('eva', 'finance');
  });

  test('leaves rows that another admin approves first in their place', async () => {
    const { orderId, reference } = await statements.send();
    const { rowId } = await imported(GROVE_MINOR, reference, 'eva');
    await approve([{ rowId, orderId }], 'eva');
    expect(await firstOf(orderId)).toBe('eva');
    await changed('eva', 'support');
    expect((await approve([{ rowId, orderId }], 'diego')).body.results[0].outcome).toBe('first-approved');
    expect(await firstOf(orderId)).toBe('diego');
    expect((await approve([{ rowId, orderId }])).body.results[0].outcome).toBe('approved');
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
