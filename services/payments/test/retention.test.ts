import { runPeriodicJob } from '@arboleda/chassis/testing/periodic.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { ERASED_CUSTOMER } from '@arboleda/contracts/order.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { grove, type Harness, intentIdOf, openHarness, QUIET } from './harness.ts';
import { aPaidPayment, settleAtStripe, shown, webhooks } from './actions.ts';

const DAY_MS = 86_400_000;

let harness: Harness;
let days = 0;
beforeAll(async () => {
  harness = await openHarness(
    { reconcile: { ...QUIET, chargesIntervalMs: 100 } },
    { clock: () => new Date(Date.now() + days * DAY_MS) },
  );
});
afterAll(() => harness.close());
beforeEach(async () => {
  harness.door.set('open');
  await webhooks(harness, 'deliver');
});

/** Runs the retention jobs after this many days. */
async function clearAfter(later: number) {
  days = later;
  await runPeriodicJob(harness.query, 'payments', 'retention');
  days = 0;
}
/** What a buyer added to the purchase, under a field that the contract does not have yet. */
const addDetails = (orderId: string) =>
  harness.query('update payments set details = $2 where order_id = $1', [orderId, { words: 'From Ana' }]);
const detailsOf = async (orderId: string) =>
  (
    await harness.query<{ details: unknown }>('select details from payments where order_id = $1', [orderId])
  )[0]!.details;
const customerOf = async (orderId: string) =>
  (
    await harness.query<{ customer: Record<string, string> }>(
      'select customer from payments where order_id = $1',
      [orderId],
    )
  )[0]!.customer;

describe('retention in payments', () => {
  test('deletes processed webhooks after their days, not before', async () => {
    const { paymentId } = await aPaidPayment(harness);
    const receipts = async () =>
      (await harness.receipts()).filter(({ payment_id: id }) => id === paymentId).length;
    await waitFor(async () => (await receipts()) > 0);
    await clearAfter(89);
    expect(await receipts()).toBeGreaterThan(0);
    await clearAfter(91);
    expect(await receipts()).toBe(0);
    expect(await harness.metrics()).toMatch(/retention_cleared_total\{what="webhooks"[^}]*\} [1-9]/);
  });

  test('clears a key after its days; the paid payment stays as it is', async () => {
    const key = crypto.randomUUID();
    const paid = await aPaidPayment(harness);
    const answer = await harness.checkout(grove, { key });
    await clearAfter(89);
    expect((await harness.checkout(grove, { key })).body.orderId).toBe(answer.body.orderId);
    const before = await harness.payments();
    await clearAfter(91);
    expect((await harness.payments()).map((one) => one.idempotency_key)).toEqual(before.map(() => null));
    const hashes = await harness.query<{ request_hash: string }>('select request_hash from payments');
    expect(hashes.map(({ request_hash: hash }) => hash)).toEqual(before.map(() => ''));
    expect(await harness.checkout(grove, { key })).toMatchObject({
      status: 409,
      body: { type: 'idempotency-conflict' },
    });
    expect(await harness.payments()).toHaveLength(before.length);
    expect(await customerOf(paid.orderId)).toMatchObject({ email: grove.customerEmail.toLowerCase() });
  });
});

describe('an abandoned payment', () => {
  test('is canceled at Stripe and its buyer erased; a paid one stays', async () => {
    const paid = await aPaidPayment(harness);
    const left = await harness.checkout({ ...grove, customerEmail: 'left@arboleda.test' });
    await addDetails(left.body.orderId);
    await clearAfter(89);
    expect(await customerOf(left.body.orderId)).toMatchObject({ email: 'left@arboleda.test' });
    await clearAfter(91);
    expect(await harness.metrics()).toMatch(
      /retention_cleared_total\{what="abandoned payments"[^}]*\} [1-9]/,
    );
    const [row] = await harness.query('select * from payments where order_id = $1', [left.body.orderId]);
    expect(row).toMatchObject({
      customer: ERASED_CUSTOMER,
      status: 'canceled',
      locale: null,
      details: null,
      request_hash: '',
    });
    expect(JSON.stringify(row)).not.toContain('left@arboleda.test');
    const intent = await harness.sandbox.stripe.paymentIntents.retrieve(intentIdOf(left));
    expect(intent.status).toBe('canceled');
    expect(await customerOf(paid.orderId)).toMatchObject({ email: grove.customerEmail.toLowerCase() });
  });

  test('that turns out to be paid becomes an order with its buyer', async () => {
    await webhooks(harness, 'lose');
    const answer = await harness.checkout();
    await harness.pay(answer);
    await clearAfter(91);
    const { data } = await harness.events.next(
      'payment.succeeded',
      (event) => event.data.orderId === answer.body.orderId,
    );
    expect(data.customer).toMatchObject({ name: grove.customerName });
    expect(await customerOf(answer.body.orderId)).toMatchObject({ name: grove.customerName });
  });

  test('keeps its buyer when Stripe is unavailable, as it could still be paid', async () => {
    const answer = await harness.checkout();
    harness.door.set('failing');
    await clearAfter(91);
    const { id } = (await harness.payments()).find((one) => one.order_id === answer.body.orderId)!;
    expect(harness.logs).toContainEqual(
      expect.objectContaining({ paymentId: id, msg: 'an abandoned payment could not be canceled' }),
    );
    expect(await customerOf(answer.body.orderId)).toMatchObject({ name: grove.customerName });
  });
});

describe('an account that changed its address and was erased', () => {
  const at = (minute: number) => `2030-01-01T00:0${minute}:00.000Z`;
  const moved = (accountId: string, from: string, to: string) =>
    harness.publish({
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
    harness.publish({ type: 'customer.erased', data: { accountId, email, ordersToo: true, at: at(2) } });

  test.each(['in the order it happened', 'the erasure first'])(
    'leaves no payment behind, events in order: %s',
    async (order) => {
      const [from, to, accountId] = ['former@arboleda.test', 'later@arboleda.test', crypto.randomUUID()];
      const { orderId } = (await harness.checkout({ ...grove, customerEmail: from })).body;
      const events = [() => moved(accountId, from, to), () => erased(accountId, to)];
      await (order === 'the erasure first' ? events[1]! : events[0]!)();
      await waitFor(async () => (await harness.platform.bus.waiting('payments')) === 0);
      await (order === 'the erasure first' ? events[0]! : events[1]!)();
      await waitFor(async () => (await customerOf(orderId)).email === ERASED_CUSTOMER.email);
    },
  );
});

describe('a customer who changes', () => {
  const updated = (orderId: string, customer: { name: string; email: string }, at: string) =>
    harness.publish({
      type: 'order.updated',
      data: {
        orderId,
        trees: 5,
        amountMinor: 2000,
        currency: 'USD',
        customer,
        language: 'es',
        changed: ['customer'],
        by: { role: 'admin' },
        at,
      },
    });

  test('has the data that orders has; late events change nothing', async () => {
    const { orderId } = await aPaidPayment(harness);
    const next = { name: 'Ana María', email: 'anamaria@arboleda.test' };
    await updated(orderId, next, '2030-01-02T00:00:00.000Z');
    await waitFor(async () => (await customerOf(orderId)).email === next.email);
    await updated(orderId, { name: 'Old', email: 'old@arboleda.test' }, '2030-01-01T00:00:00.000Z');
    const other = (await harness.checkout()).body;
    const erased = { name: '—', email: 'erased@arboleda.invalid' };
    await updated(other.orderId, erased, '2030-01-01T00:00:00.000Z');
    await waitFor(async () => (await customerOf(other.orderId)).email === erased.email);
    expect(await customerOf(orderId)).toEqual(next);
  });

  test('stays erased, even when an earlier change of the order arrives later', async () => {
    const { orderId, paymentId, intentId } = await aPaidPayment(harness);
    await settleAtStripe(harness, intentId);
    await waitFor(async () => (await shown(harness, paymentId)).fee);
    await harness.query(
      `update payments set charge = charge || '{"receiptUrl":"https://pay.stripe.test/r"}' where id = $1`,
      [paymentId],
    );
    await addDetails(orderId);
    const next = { name: 'Ana María', email: 'anamaria@arboleda.test' };
    await updated(orderId, next, '2030-01-02T00:00:00.000Z');
    await waitFor(async () => (await customerOf(orderId)).email === next.email);
    expect(await detailsOf(orderId)).toEqual({ words: 'From Ana' });
    await updated(orderId, { name: '—', email: 'erased@arboleda.invalid' }, '2030-01-01T00:00:00.000Z');
    await waitFor(async () => (await customerOf(orderId)).email === 'erased@arboleda.invalid');
    const [kept] = await harness.query('select * from payments where id = $1', [paymentId]);
    expect(kept).toMatchObject({ locale: null, details: null, request_hash: '', amount_minor: '2000' });
    // Stripe's receipt page shows the cardholder.
    expect(JSON.stringify(kept)).not.toMatch(/receiptUrl/);
    expect((await shown(harness, paymentId)).fee).toBeDefined();
  });

  test('who registers again under an erased address is a new customer', async () => {
    const email = 'again@arboleda.test';
    const erasedAt = (at: string, accountId: string) =>
      harness.publish({ type: 'customer.erased', data: { accountId, email, ordersToo: true, at } });
    const again = await harness.checkout({ ...grove, customerEmail: email });
    const other = await harness.checkout({ ...grove, customerEmail: 'before@arboleda.test' });
    await erasedAt('2020-01-01T00:00:00.000Z', 'a-2');
    await updated(other.body.orderId, { name: 'B', email: 'b@arboleda.test' }, '2030-01-01T00:00:00.000Z');
    await waitFor(async () => (await customerOf(other.body.orderId)).email === 'b@arboleda.test');
    expect((await customerOf(again.body.orderId)).email).toBe(email);
    await erasedAt('2030-01-01T00:00:00.000Z', 'a-3');
    await waitFor(async () => (await customerOf(again.body.orderId)).email === 'erased@arboleda.invalid');
  });

  test('is erased where nothing was bought; purchases follow their order', async () => {
    const email = 'forget@arboleda.test';
    const bought = await aPaidPayment(harness, { ...grove, customerEmail: email });
    const left = await harness.checkout({ ...grove, customerEmail: email });
    await addDetails(left.body.orderId);
    const erase = (ordersToo: boolean, accountId: string) =>
      harness.publish({
        type: 'customer.erased',
        data: { accountId, email, ordersToo, at: '2030-01-01T00:00:00.000Z' },
      });
    await erase(false, 'a-stranger');
    await erase(true, 'a-1');
    await waitFor(async () => (await customerOf(left.body.orderId)).email === 'erased@arboleda.invalid');
    expect(await customerOf(left.body.orderId)).toEqual({ name: '—', email: 'erased@arboleda.invalid' });
    expect(await detailsOf(left.body.orderId)).toBeNull();
    expect((await customerOf(bought.orderId)).email).toBe(email);
    expect(intentIdOf(left)).toMatch(/^pi_/);
  });
});
