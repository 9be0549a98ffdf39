import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type Stripe from 'stripe';
import { openSandbox, type TestSandbox } from '../test/sandbox.ts';

describe('checkout', () => {
  let sandbox: TestSandbox;

  let stripe: Stripe;

  beforeAll(async () => {
    sandbox = await openSandbox();
    ({ stripe } = sandbox);
  });

  afterAll(() => sandbox.remove());

  const aSession = (overrides: Partial<Stripe.Checkout.SessionCreateParams> = {}) =>
    stripe.checkout.sessions.create({
      mode: 'payment',
      line_items: [{ price: 'price_three_year', quantity: 2 }],
      success_url: 'https://shop.example/thanks?session={CHECKOUT_SESSION_ID}',
      cancel_url: 'https://shop.example/cart',
      customer_email: 'ana@example.com',
      metadata: { order: 'o_1' },
      payment_intent_data: { metadata: { order: 'o_1' } },
      ...overrides,
    });

  /** Pays like the script of the hosted page. */
  async function payOnPage(session: Stripe.Checkout.Session) {
    const answer = await fetch(`${session.url}/intent`, { method: 'POST' });
    const { clientSecret } = (await answer.json()) as { clientSecret: string };
    const [id] = clientSecret.split('_secret_');
    return sandbox.browser('POST', `/payment_intents/${id}/confirm`, {
      client_secret: clientSecret,
      'payment_method_data[type]': 'card',
      'payment_method_data[card][number]': '4242424242424242',
      'payment_method_data[card][exp_month]': '12',
      'payment_method_data[card][exp_year]': '2034',
      'payment_method_data[billing_details][name]': 'Ana',
      'payment_method_data[billing_details][email]': 'ana@example.com',
    });
  }

  test('has the demo prices', async () => {
    const prices = ['price_first_year', 'price_three_year', 'price_lifetime'];
    const amounts = await Promise.all(
      prices.map(async (id) => (await stripe.prices.retrieve(id)).unit_amount),
    );
    expect(amounts).toEqual([1500, 2500, 3500]);
  });

  test('a session sells its line items and has a page', async () => {
    const session = await aSession();
    expect(session).toMatchObject({
      amount_total: 5000,
      currency: 'usd',
      metadata: { order: 'o_1' },
      payment_intent: null,
      payment_status: 'unpaid',
      status: 'open',
    });
    expect(session.id).toMatch(/^cs_test_/);
    const page = await fetch(session.url ?? '', { headers: { 'Accept-Language': 'es' } });
    const text = await page.text();
    expect(text).toContain('Pagar con tarjeta');
    expect(text).toContain('Three years of photos × 2');
    expect((await stripe.checkout.sessions.list({ limit: 1 })).data).toEqual([session]);
  });

  test('paying on the page completes it and returns to the shop', async () => {
    const session = await aSession();
    expect((await payOnPage(session)).body.status).toBe('succeeded');
    const complete = await stripe.checkout.sessions.retrieve(session.id);
    expect(complete).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
      customer_details: { email: 'ana@example.com', name: 'Ana' },
    });
    const intent = String(complete.payment_intent);
    expect(await stripe.paymentIntents.retrieve(intent)).toMatchObject({
      status: 'succeeded',
      amount: 5000,
      metadata: { order: 'o_1' },
    });
    const { data: found } = await stripe.checkout.sessions.list({ payment_intent: intent });
    expect(found.map(({ id }) => id)).toEqual([session.id]);
    const back = await fetch(`${session.url}/done`, { redirect: 'manual' });
    expect(back.headers.get('location')).toBe(`https://shop.example/thanks?session=${session.id}`);
    const { data } = await stripe.events.list({ type: 'checkout.session.completed' });
    expect(data[0]?.data.object).toMatchObject({ id: session.id });
    expect(await (await fetch(session.url ?? '')).text()).toContain('already paid');
  });

  test('an expired session cannot be paid', async () => {
    const session = await aSession();
    expect(await stripe.checkout.sessions.expire(session.id)).toMatchObject({ status: 'expired', url: null });
    await expect(stripe.checkout.sessions.expire(session.id)).rejects.toThrow(/open/);
    expect((await fetch(`${session.url}/intent`, { method: 'POST' })).status).toBe(409);
    expect((await fetch(session.url ?? '')).status).toBe(410);
    const { data } = await stripe.events.list({ type: 'checkout.session.expired' });
    expect(data).toHaveLength(1);
  });

  test.each([
    [{ line_items: [{ price: 'price_none', quantity: 1 }] }, 'resource_missing'],
    [{ line_items: undefined }, 'parameter_missing'],
    [{ success_url: 'javascript:alert(1)' }, 'url_invalid'],
    [{ line_items: [{ price: 'price_first_year', quantity: 0 }] }, 'parameter_invalid_integer'],
  ])('rejects a session with %j', async (wrong, code) => {
    await expect(aSession(wrong as object)).rejects.toMatchObject({ code });
  });
});
