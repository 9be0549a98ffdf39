import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type Stripe from 'stripe';
import { sandboxConfig } from '../config.ts';
import { releaseOrder } from '../control/order.ts';
import {
  closeRequest,
  disputeRequest,
  modeRequest,
  releaseRequest,
  repeatRequest,
  settleRequest,
} from '../control/requests.ts';
import type { Delivery } from '../records.ts';
import { openSandbox, type TestSandbox } from '../testing/sandbox.ts';

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
    const answer = await fetch(`${session.url}/intent`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: 'ana@example.com' }),
    });
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
    const product = await stripe.products.retrieve('prod_lifetime');
    expect(product.name).toBe('A lifetime of photos');
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
    const { data } = await stripe.checkout.sessions.listLineItems(session.id);
    expect(data).toMatchObject([{ amount_total: 5000, quantity: 2, price: { id: 'price_three_year' } }]);
    const full = await stripe.checkout.sessions.retrieve(session.id, { expand: ['line_items'] });
    expect(full.line_items?.data).toHaveLength(1);
    const page = await fetch(session.url ?? '', { headers: { 'Accept-Language': 'es' } });
    expect(await page.text()).toContain('Pagar con tarjeta');
  });

  test('paying on the page completes it and returns to the shop', async () => {
    const session = await aSession();
    expect((await payOnPage(session)).body.status).toBe('succeeded');
    const complete = await stripe.checkout.sessions.retrieve(session.id, { expand: ['payment_intent'] });
    expect(complete).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
      customer_details: { email: 'ana@example.com', name: 'Ana' },
      payment_intent: { status: 'succeeded', amount: 5000, metadata: { order: 'o_1' } },
    });
    const back = await fetch(`${session.url}/done`, { redirect: 'manual' });
    expect(back.headers.get('location')).toBe(`https://shop.example/thanks?session=${session.id}`);
    const { data } = await stripe.events.list({ type: 'checkout.session.completed' });
    expect(data[0]?.data.object).toMatchObject({ id: session.id });
    expect(await (await fetch(session.url ?? '')).text()).toContain('already paid');
  });

  test('accepts prices by their data', async () => {
    const session = await aSession({
      line_items: [
        {
          price_data: { currency: 'cop', unit_amount: 2_000_000, product_data: { name: 'Roble <script>' } },
          quantity: 3,
        },
      ],
    });
    expect(session).toMatchObject({ amount_total: 6_000_000, currency: 'cop' });
    const page = await (await fetch(session.url ?? '')).text();
    expect(page).toContain('Roble &#60;script&#62;');
    expect(page).not.toContain('Roble <script>');
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

const held = ['a', 'b', 'c'].map((event) => ({ id: `dlv_${event}`, event }) as Delivery);

const events = (deliveries: Delivery[]) => deliveries.map(({ event }) => event).join('');

test('releases held webhooks in the order of creation', () =>
  expect(events(releaseOrder(held, {}))).toBe('abc'));

test('or in reverse', () => expect(events(releaseOrder(held, { order: 'reversed' }))).toBe('cba'));

test('or only the named ones, in the given order', () =>
  expect(events(releaseOrder(held, { events: ['c', 'a'] }))).toBe('ca'));

test('or in random order, none lost and none twice', () => {
  const lots = [0.9, 0.1, 0.5];
  expect(events(releaseOrder(held, { order: 'shuffled' }, () => lots.shift() ?? 0))).toBe('bca');
});

test('has sensible defaults', () => {
  expect(modeRequest(undefined)).toEqual({ mode: undefined, url: undefined });
  expect(releaseRequest({})).toEqual({ events: undefined, order: undefined });
  expect(repeatRequest({})).toEqual({ times: 1 });
  expect(disputeRequest({ charge: 'ch_1' })).toEqual({
    charge: 'ch_1',
    amount: undefined,
    reason: 'fraudulent',
  });
  expect(closeRequest({})).toEqual({ outcome: 'lost' });
  expect(settleRequest({})).toEqual({ outcome: 'succeeded' });
});

test.each([
  [() => modeRequest({ mode: 'explode' }), /mode must be one of deliver, hold, lose/],
  [() => modeRequest({ url: 'shop' }), /url must be an address/],
  [() => releaseRequest({ order: 'random' }), /order must be one of/],
  [() => releaseRequest({ events: 'evt_1' }), /list of event ids/],
  [() => repeatRequest({ times: 0 }), /from 1 to 100/],
  [() => repeatRequest({ times: 101 }), /from 1 to 100/],
  [() => disputeRequest({}), /charge must be/],
  [() => disputeRequest({ charge: 'ch_1', amount: 1.5 }), /whole number/],
  [() => closeRequest({ outcome: 'drawn' }), /outcome must be one of/],
  [() => settleRequest({ outcome: 'lost' }), /outcome must be one of/],
])('reports invalid requests: case %#', (ask, message) => expect(ask).toThrow(message));

const env = {
  STRIPE_SANDBOX_SECRET_KEY: 'sk_test_demo',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_demo',
  STRIPE_WEBHOOK_SECRET: 'whsec_demo',
};

test('listens on this machine only, by default', () => {
  expect(sandboxConfig(env)).toMatchObject({ host: '127.0.0.1', port: 12111, webhookUrl: undefined });
});

test('refuses to start in production', () => {
  expect(() => sandboxConfig({ ...env, NODE_ENV: 'production' })).toThrow(/NODE_ENV/);
});

test.each([
  ['STRIPE_SANDBOX_PORT', '70000'],
  ['STRIPE_SANDBOX_WEBHOOK_URL', 'localhost'],
  ['STRIPE_SANDBOX_SECRET_KEY', 'sk_live_real'],
  ['STRIPE_PUBLISHABLE_KEY', ''],
  ['STRIPE_WEBHOOK_SECRET', undefined],
])('a wrong %s stops the start, by name', (name, value) => {
  expect(() => sandboxConfig({ ...env, [name]: value })).toThrow(name);
});
