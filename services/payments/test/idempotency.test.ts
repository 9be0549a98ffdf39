import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { grove, type Harness, openHarness, quoteOf } from './harness.ts';

let harness: Harness;
beforeEach(async () => {
  harness = await openHarness();
});
afterEach(() => harness.close());

const key = 'a-key-of-the-browser';

describe('the same idempotency key', () => {
  test('with the same body gives the same answer', async () => {
    const first = await harness.checkout(grove, { key });
    const second = await harness.checkout(grove, { key });
    expect(first.status).toBe(200);
    expect(second).toMatchObject({ status: 200, body: first.body });
    expect(await harness.intents()).toHaveLength(1);
  });

  test('with another body is refused, whatever differs', async () => {
    await harness.checkout(grove, { key });
    for (const change of [
      { customerName: 'Eva' },
      { trees: 1, packageType: 'individual' },
      { locale: 'en' },
    ]) {
      const answer = await harness.checkout({ ...grove, ...change }, { key });
      expect(answer).toMatchObject({ status: 409, body: { type: 'idempotency-conflict' } });
    }
    expect(await harness.payments()).toHaveLength(1);
    expect(await harness.intents()).toHaveLength(1);
  });

  test('twenty times at once makes one intent', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => harness.checkout(grove, { key })));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(await harness.payments()).toHaveLength(1);
    expect(await harness.intents()).toHaveLength(1);
  });

  test('at two replicas at once makes one intent', async () => {
    const replica = await harness.start();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        harness.checkout(grove, { key, ...(i % 2 && { url: replica.url }) }),
      ),
    );
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(await harness.intents()).toHaveLength(1);
  });

  test('and the same quote at two replicas at once makes one payment at the quoted price', async () => {
    const replica = await harness.start();
    const quote = await quoteOf({ currency: 'USD', rate: 1 });
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        harness.checkout({ ...grove, quote }, { key, ...(i % 2 && { url: replica.url }) }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(await harness.payments()).toMatchObject([{ amount_minor: '2000', currency: 'USD' }]);
    expect(await harness.intents()).toHaveLength(1);
  });

  test('finds its payment after the quote has run out', async () => {
    const quote = await quoteOf({ currency: 'USD', rate: 1 });
    const first = await harness.checkout({ ...grove, quote }, { key });
    const later = await harness.start({}, { clock: () => new Date(Date.now() + 31 * 60_000) });
    const expired = await harness.checkout({ ...grove, quote }, { key: 'another-key', url: later.url });
    expect(expired.body.type).toBe('quote-expired');
    const second = await harness.checkout({ ...grove, quote }, { key, url: later.url });
    expect(second).toMatchObject({ status: 200, body: first.body });
  });

  test('finds its payment after it was paid: a reload never pays twice', async () => {
    const first = await harness.checkout(grove, { key });
    await harness.pay(first);
    await harness.events.next('payment.succeeded');
    const second = await harness.checkout(grove, { key });
    expect(second.body).toEqual(first.body);
    expect(await harness.intents()).toHaveLength(1);
  });

  test.each(['short', 'with blanks in it', 'x'.repeat(129)])('that is "%.20s" is refused', async (wrong) => {
    const answer = await harness.checkout(grove, { key: wrong });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ path: 'Idempotency-Key' }] } });
    expect(await harness.payments()).toHaveLength(0);
  });
});

describe('when Stripe does not answer', () => {
  test('but its webhook does, nothing is written down, and who tries again can pay that very intent', async () => {
    harness.door.set('silent');
    expect((await harness.checkout(grove, { key })).status).toBe(503);
    const [intent] = await harness.intents();
    await waitFor(async () => (await harness.receipts()).length === 1);
    expect(await harness.payments()).toHaveLength(0);
    harness.door.set('open');
    const answer = await harness.checkout(grove, { key });
    expect(answer.body.client_secret).toBe(intent!.client_secret);
    await harness.pay(answer);
    expect(await harness.events.next('payment.succeeded')).toMatchObject({
      data: { orderId: answer.body.orderId, transactionId: intent!.id },
    });
  });

  test('the buyer is told to try again shortly, and nothing can be charged twice', async () => {
    harness.door.set('shut');
    const refused = await harness.checkout(grove, { key });
    expect(refused).toMatchObject({ status: 503, body: { type: 'unavailable' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    harness.door.set('open');
    const answer = await harness.checkout(grove, { key });
    expect(answer.status).toBe(200);
    expect(await harness.payments()).toHaveLength(1);
    expect(await harness.intents()).toHaveLength(1);
  });

  test('or fails, the buyer reads that no payment was started', async () => {
    harness.door.set('failing');
    const refused = await harness.checkout(grove, { key });
    expect(refused).toMatchObject({
      status: 502,
      body: { type: 'payment-provider-failed', error: 'Failed to create payment intent.' },
    });
    expect(JSON.stringify(refused.body)).not.toMatch(/127\.0\.0\.1|sk_|stripe/i);
    harness.door.set('open');
    expect((await harness.checkout(grove, { key })).status).toBe(200);
  });

  test('because its answer was lost, the next try gets the intent it had made', async () => {
    harness.door.set('silent');
    expect((await harness.checkout(grove, { key })).status).toBe(503);
    const [made] = await harness.intents();
    harness.door.set('open');
    const answer = await harness.checkout(grove, { key });
    expect(answer.status).toBe(200);
    expect(answer.body.client_secret).toBe(made!.client_secret);
    expect(await harness.intents()).toHaveLength(1);
  });

  test('and the process dies before, another one goes on with the same intent', async () => {
    await harness.sandbox.control('PUT', '/webhooks', { mode: 'lose' });
    harness.door.set('silent');
    await harness.checkout(grove, { key });
    expect(await harness.payments()).toHaveLength(0);
    harness.door.set('open');
    const restarted = await harness.start();
    const answer = await harness.checkout(grove, { key, url: restarted.url });
    const [intent, ...more] = await harness.intents();
    expect(more).toEqual([]);
    expect(intent!.metadata).toMatchObject({ orderId: answer.body.orderId });
    expect(await harness.payments()).toMatchObject([
      { id: intent!.metadata.paymentId, status: 'open', intent_id: intent!.id },
    ]);
  });
});

test('when pricing does not answer, no payment is written down', async () => {
  harness.pricing.fail();
  const answer = await harness.checkout(grove, { key });
  expect(answer).toMatchObject({ status: 503, body: { type: 'unavailable' } });
  expect(await harness.payments()).toHaveLength(0);
});
