import { clearedAt, runRetention } from '@arboleda/chassis/testing/regular.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { ERASED_CUSTOMER } from '@arboleda/contracts/order.ts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { grove, type Harness, intentIdOf, openHarness } from './harness.ts';
import { aPaidPayment } from './shop.ts';

let harness: Harness;
beforeEach(async () => {
  harness = await openHarness();
});
afterEach(() => harness.close());

const DAY_MS = 86_400_000;
/** Clears, on a replica by whose clock so many days have passed. */
async function clearAfter(days: number) {
  const service = await harness.start({}, { clock: () => new Date(Date.now() + days * DAY_MS) });
  await runRetention(harness.query, service, 'abandoned payments');
  return { cleared: (what: string) => clearedAt(service.url, what) };
}
const customerOf = async (orderId: string) =>
  (
    await harness.query<{ customer: unknown }>('select customer from payments where order_id = $1', [orderId])
  )[0]!.customer;

describe('what payments keeps for a while', () => {
  test('webhooks that were taken are forgotten after their days, not before', async () => {
    await aPaidPayment(harness);
    await waitFor(async () => (await harness.receipts()).length > 0);
    const early = await clearAfter(89);
    expect(await early.cleared('webhooks')).toBe(0);
    expect((await harness.receipts()).length).toBeGreaterThan(0);
    const late = await clearAfter(91);
    expect(await harness.receipts()).toEqual([]);
    expect(await late.cleared('webhooks')).toBeGreaterThan(0);
  });

  test('a key finds its payment for its days; the paid one itself stays as it is', async () => {
    const key = crypto.randomUUID();
    const paid = await aPaidPayment(harness);
    const answer = await harness.checkout(grove, { key });
    await clearAfter(29);
    expect((await harness.checkout(grove, { key })).body.orderId).toBe(answer.body.orderId);
    const before = await harness.payments();
    await clearAfter(31);
    expect((await harness.payments()).map((one) => one.idempotency_key)).toEqual(before.map(() => null));
    const hashes = await harness.query<{ request_hash: string }>('select request_hash from payments');
    expect(hashes.map(({ request_hash: hash }) => hash)).toEqual(before.map(() => ''));
    expect(await harness.checkout(grove, { key })).toMatchObject({
      ...{ status: 409, body: { type: 'idempotency-conflict' } },
    });
    expect(await harness.payments()).toHaveLength(before.length);
    expect(await customerOf(paid.orderId)).toMatchObject({ email: grove.customerEmail.toLowerCase() });
  });
});

describe('a payment that nobody made', () => {
  test('is canceled at Stripe, and its buyer forgotten; one that was made stays', async () => {
    const paid = await aPaidPayment(harness);
    const left = await harness.checkout({ ...grove, customerEmail: 'left@arboleda.test' });
    await clearAfter(89);
    expect(await customerOf(left.body.orderId)).toMatchObject({ email: 'left@arboleda.test' });
    const late = await clearAfter(91);
    expect(await late.cleared('abandoned payments')).toBe(1);
    const [row] = await harness.query('select * from payments where order_id = $1', [left.body.orderId]);
    expect(row).toMatchObject({
      customer: ERASED_CUSTOMER,
      status: 'canceled',
      locale: null,
      request_hash: '',
    });
    expect(JSON.stringify(row)).not.toContain('left@arboleda.test');
    const intent = await harness.sandbox.stripe.paymentIntents.retrieve(intentIdOf(left));
    expect(intent.status).toBe('canceled');
    expect(await customerOf(paid.orderId)).toMatchObject({ email: grove.customerEmail.toLowerCase() });
  });

  test('is forgotten where a version before wrote it down without an intent, and read as one that is open', async () => {
    const key = crypto.randomUUID();
    const left = await harness.checkout(grove, { key });
    await harness.query(`update payments set state = '{"status":"creating"}' where order_id = $1`, [
      left.body.orderId,
    ]);
    expect(await harness.checkout(grove, { key })).toMatchObject({
      ...{ status: 503, body: { type: 'unavailable' } },
    });
    const { body } = await harness.admin('GET /api/admin/payments');
    expect(body.payments).toMatchObject([{ orderId: left.body.orderId, status: 'open' }]);
    await clearAfter(91);
    expect(await customerOf(left.body.orderId)).toEqual(ERASED_CUSTOMER);
  });

  test('but turns out to be made becomes an order, with its buyer', async () => {
    await harness.sandbox.control('PUT', '/webhooks', { mode: 'lose' });
    const answer = await harness.checkout();
    await harness.pay(answer);
    await clearAfter(91);
    const { data } = await harness.events.next('payment.succeeded');
    expect(data).toMatchObject({ orderId: answer.body.orderId, customer: { name: grove.customerName } });
    expect(await customerOf(answer.body.orderId)).toMatchObject({ name: grove.customerName });
  });

  test('keeps its buyer while Stripe is away: nobody may pay for an order of nobody', async () => {
    const answer = await harness.checkout();
    harness.door.set('failing');
    await clearAfter(91);
    expect(harness.logs.some(({ msg }) => msg === 'an abandoned payment could not be canceled')).toBe(true);
    expect(await customerOf(answer.body.orderId)).toMatchObject({ name: grove.customerName });
  });
});

describe('an account that moved and asked to be forgotten', () => {
  const at = (minute: number) => `2030-01-01T00:0${minute}:00.000Z`;
  const moved = (accountId: string, from: string, to: string) =>
    harness.tell({
      type: 'email.changed',
      data: {
        accountId,
        role: 'customer',
        name: 'Ana',
        from,
        to,
        language: 'en',
        at: at(1),
        fromVerified: true,
      },
    });
  const erased = (accountId: string, email: string) =>
    harness.tell({ type: 'customer.erased', data: { accountId, email, ordersToo: true, at: at(2) } });

  test.each(['in the order it happened', 'the erasure first'])(
    'leaves no payment behind, heard %s',
    async (order) => {
      const [from, to, accountId] = ['former@arboleda.test', 'later@arboleda.test', crypto.randomUUID()];
      const { orderId } = (await harness.checkout({ ...grove, customerEmail: from })).body;
      const told = [() => moved(accountId, from, to), () => erased(accountId, to)];
      await (order === 'the erasure first' ? told[1]! : told[0]!)();
      await waitFor(async () => (await harness.platform.bus.waiting('payments')) === 0);
      await (order === 'the erasure first' ? told[0]! : told[1]!)();
      await waitFor(
        async () => ((await customerOf(orderId)) as { email: string }).email === ERASED_CUSTOMER.email,
      );
    },
  );
});
