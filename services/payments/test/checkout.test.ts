import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { request } from '@arboleda/chassis/testing/request.ts';
import { paymentsEndpoints } from '@arboleda/contracts/endpoints/payments.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { grove, type Harness, intentIdOf, openHarness, quoteOf } from './harness.ts';
import { isTold, webhooks } from './actions.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness.close());

/** The browser's idempotency key; each test has its own. */
let key: string;
let intentsBefore: string[];
const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
beforeEach(async () => {
  key = randomUUID();
  intentsBefore = idsOf(await harness.intents());
});
const payments = async () => (await harness.payments()).filter((one) => one.idempotency_key === key);
const intents = async () => (await harness.intents()).filter(({ id }) => !intentsBefore.includes(id));

describe('GET /api/config', () => {
  test('returns the settings the web app needs, and no secret', async () => {
    const { status, body } = await request(harness.url, 'GET /api/config');
    expect(status).toBe(200);
    expect(body).toEqual({
      stripe: {
        publishableKey: 'pk_test_sandbox',
        scriptUrl: harness.sandbox.scriptUrl,
        apiUrl: harness.sandbox.apiUrl,
      },
      bankAccounts: [{ bank: 'bancolombia', accountType: 'A', accountNumber: '0', holder: 'H', taxId: 'T' }],
      photoPackages: [
        { photoPackageType: 'first_year', priceId: 'price_first_year', amount: 1500, currency: 'USD' },
        { photoPackageType: 'three_year', priceId: 'price_three_year', amount: 2500, currency: 'USD' },
        { photoPackageType: 'lifetime', priceId: 'price_lifetime', amount: 3500, currency: 'USD' },
      ],
      siteUrl: 'https://arboleda.test',
      languages: ['en', 'es'],
    });
    expect(JSON.stringify(body)).not.toMatch(/sk_|whsec_/);
  });

  test('has the Bre-B key of an account, and its QR code, where one is configured', async () => {
    const account = {
      bank: 'bancolombia' as const,
      accountType: 'A',
      accountNumber: '0',
      holder: 'H',
      taxId: 'T',
      breB: { key: '@arboleda', qr: 'data:image/png;base64,iVBORw0KGgo=' },
    };
    const { url } = await harness.start({ bankAccounts: [account] });
    const { body } = await request(url, 'GET /api/config');
    expect(paymentsEndpoints['GET /api/config'].response.parse(body)).toEqual(body);
    expect(body.bankAccounts).toEqual([account]);
  });
});

describe('starting a card payment', () => {
  test('makes one intent with our price that names its payment and order', async () => {
    const quote = await quoteOf({ currency: 'COP', rate: 4000, country: 'CO' });
    const answer = await harness.checkout({ ...grove, currency: 'COP', quote });
    expect(answer.status).toBe(200);
    expect(paymentsEndpoints['POST /api/pricing/create-payment-intent'].response!.parse(answer.body)).toEqual(
      answer.body,
    );
    expect(answer.body).toMatchObject({ amount: 8_000_000, currency: 'COP' });

    const intent = await harness.sandbox.stripe.paymentIntents.retrieve(intentIdOf(answer));
    const [payment] = (await harness.payments()).filter((one) => one.order_id === answer.body.orderId);
    expect(intent).toMatchObject({
      amount: 8_000_000,
      currency: 'cop',
      metadata: { paymentId: payment!.id, orderId: answer.body.orderId },
      receipt_email: null,
      automatic_payment_methods: { enabled: true },
    });
    expect(JSON.stringify(intent)).not.toMatch(/García|ana@/i);
    expect(payment).toMatchObject({
      status: 'open',
      intent_id: intent.id,
      amount_minor: '8000000',
      language: 'es',
      locale: 'es-CO',
      customer: { name: 'Ana García', email: 'ana@arboleda.test', country: 'CO' },
      quote: { id: 'quote-1', rate: 4000, ratesAsOf: '2026-11-20' },
    });
    expect(JSON.stringify(payment)).not.toContain(answer.body.client_secret);
  });

  test('without a quote uses the current price and the buyer’s country', async () => {
    const calls = harness.pricing.calls();
    const { status, body } = await harness.checkout(grove, { acceptLanguage: 'es-MX' });
    expect(status).toBe(200);
    expect(body.amount).toBe(2000);
    expect(harness.pricing.calls()).toBe(calls + 1);
    expect((await harness.payments()).at(-1)!.customer).toMatchObject({ country: 'MX' });
  });

  test('charges whole units in zero-decimal currencies', async () => {
    const quote = await quoteOf({ currency: 'CLP', rate: 936.41 });
    const answer = await harness.checkout({ ...grove, currency: 'CLP', quote });
    expect(answer.body.amount).toBe(1_872_800);
    const intent = await harness.sandbox.stripe.paymentIntents.retrieve(intentIdOf(answer));
    expect(intent.amount).toBe(18_728);
  });

  test('makes one payment per call when calls have no key', async () => {
    const [one, other] = await Promise.all([harness.checkout(), harness.checkout()]);
    expect(one.body.orderId).not.toBe(other.body.orderId);
    expect(intentIdOf(one)).not.toBe(intentIdOf(other));
  });
});

describe('a quote', () => {
  test.each<[string, string, number, () => Promise<string> | string]>([
    ['of another currency', 'quote-invalid', 422, () => quoteOf({ currency: 'EUR', rate: 1 })],
    [
      'signed by somebody else',
      'quote-invalid',
      422,
      () => quoteOf({ currency: 'USD', rate: 1 }, { secret: 'x'.repeat(32) }),
    ],
    ['made up', 'quote-invalid', 422, () => 'eyJhbGciOiJub25lIn0.e30.'],
    ['that has run out', 'quote-expired', 409, () => quoteOf({ currency: 'USD', rate: 1 }, { exp: '-1s' })],
  ])('%s is refused as %s', async (_what, type, status, make) => {
    const stored = (await harness.payments()).length;
    const answer = await harness.checkout({ ...grove, quote: await make() });
    expect(answer).toMatchObject({ status, body: { type } });
    expect(await harness.payments()).toHaveLength(stored);
  });
});

describe('bad input is refused, names its field and stores nothing', () => {
  test.each([
    ['an unknown package', { packageType: 'forest' }, 'packageType', 'unknown-value'],
    ['no package', { packageType: undefined }, 'packageType', 'required'],
    ['0 trees', { packageType: 'custom', trees: 0 }, 'trees', 'too-small'],
    ['−1 trees', { packageType: 'custom', trees: -1 }, 'trees', 'too-small'],
    ['1.5 trees', { packageType: 'custom', trees: 1.5 }, 'trees', 'not-an-integer'],
    ['10⁹ trees', { packageType: 'custom', trees: 1e9 }, 'trees', 'too-big'],
    ['trees in words', { packageType: 'custom', trees: 'five' }, 'trees', 'invalid'],
    ['a grove of four', { trees: 4 }, 'trees', 'invalid'],
    ['an unknown currency', { currency: 'XAU' }, 'currency', 'unknown-value'],
    ['a malformed e-mail', { customerEmail: 'ana@' }, 'customerEmail', 'invalid-email'],
    ['no e-mail', { customerEmail: '' }, 'customerEmail', 'required'],
    ['a name of 5 kB', { customerName: 'a'.repeat(5000) }, 'customerName', 'too-long'],
    ['a name of blanks', { customerName: '   ' }, 'customerName', 'required'],
    ['a name with a zero byte', { customerName: 'Ana\u0000' }, 'customerName', 'invalid'],
    ['half a character', { customerName: 'Ana\ud800' }, 'customerName', 'invalid'],
    ['a locale without end', { locale: 'e'.repeat(36) }, 'locale', 'too-long'],
    ['a quote without end', { quote: 'q'.repeat(2001) }, 'quote', 'too-long'],
    [
      'more than one card payment can take',
      { packageType: 'custom', trees: 10_000, currency: 'COP' },
      'trees',
      'above-card-limit',
    ],
  ])('%s', async (_what, change, path, type) => {
    const stored = await harness.payments();
    const { status, body } = await harness.checkout({ ...grove, ...change });
    expect(status).toBe(422);
    expect(body).toMatchObject({ type: 'validation-failed', errors: [{ path, type }] });
    expect(body.error).toBe(body.title);
    expect(await harness.payments()).toEqual(stored);
  });

  test.each([
    ['JSON that is none', '{"trees": 5,', 400, 'malformed-json'],
    ['2 MB', JSON.stringify({ ...grove, customerName: 'a'.repeat(2_000_000) }), 413, 'body-too-large'],
    ['a list', '[]', 422, 'validation-failed'],
  ])('%s', async (_what, raw, status, type) => {
    const stored = await harness.payments();
    const answer = await request(harness.url, 'POST /api/pricing/create-payment-intent', { raw });
    expect(answer).toMatchObject({ status, body: { type } });
    expect(await harness.payments()).toEqual(stored);
  });

  test('in the reader’s language', async () => {
    const { body } = await request(harness.url, 'POST /api/pricing/create-payment-intent', {
      body: { ...grove, customerEmail: 'ana' },
      headers: { 'Accept-Language': 'es-CO' },
    });
    expect(body.error).toBe('Revisa los campos marcados.');
  });

  test('an invalid locale is dropped, and the payment goes on', async () => {
    const answer = await harness.checkout({ ...grove, locale: 'x_\u0000' });
    expect(answer.status).toBe(200);
    const payment = (await harness.payments()).find((one) => one.order_id === answer.body.orderId);
    expect(payment).toMatchObject({ locale: null, language: 'en' });
  });
});

describe('the same idempotency key', () => {
  /** Buys at once, by turns at each replica. Stripe refuses a key that is in use; the buyer then tries again. */
  const atOnce = (count: number, urls: readonly string[], order: object = grove) =>
    Promise.all(
      Array.from({ length: count }, async (_, i) => {
        const buy = () => harness.checkout(order, { key, url: urls[i % urls.length]! });
        let answer = await buy();
        while (answer.status === 503) answer = await buy();
        return answer;
      }),
    );

  test('with the same body gives the same answer', async () => {
    const first = await harness.checkout(grove, { key });
    const second = await harness.checkout(grove, { key });
    expect(first.status).toBe(200);
    expect(second).toMatchObject({ status: 200, body: first.body });
    expect(await intents()).toHaveLength(1);
  });

  test('with another body is refused, whichever field differs', async () => {
    await harness.checkout(grove, { key });
    for (const change of [
      { customerName: 'Eva' },
      { trees: 1, packageType: 'individual' },
      { locale: 'en' },
    ]) {
      const answer = await harness.checkout({ ...grove, ...change }, { key });
      expect(answer).toMatchObject({ status: 409, body: { type: 'idempotency-conflict' } });
    }
    expect(await payments()).toHaveLength(1);
    expect(await intents()).toHaveLength(1);
  });

  test('twenty times at once makes one intent', async () => {
    const answers = await atOnce(20, [harness.url]);
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(await payments()).toHaveLength(1);
    expect(await intents()).toHaveLength(1);
  });

  test('at two replicas at once makes one intent', async () => {
    const replica = await harness.start();
    const answers = await atOnce(10, [harness.url, replica.url]);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(await intents()).toHaveLength(1);
  });

  test('with the same quote at two replicas makes one payment at the quoted price', async () => {
    const replica = await harness.start();
    const quote = await quoteOf({ currency: 'USD', rate: 1 });
    const answers = await atOnce(10, [harness.url, replica.url], { ...grove, quote });
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(await payments()).toMatchObject([{ amount_minor: '2000', currency: 'USD' }]);
    expect(await intents()).toHaveLength(1);
  });

  test('finds its payment after the quote has run out', async () => {
    const quote = await quoteOf({ currency: 'USD', rate: 1 });
    const first = await harness.checkout({ ...grove, quote }, { key });
    const later = await harness.start({}, { clock: () => new Date(Date.now() + 31 * 60_000) });
    const expired = await harness.checkout({ ...grove, quote }, { key: randomUUID(), url: later.url });
    expect(expired.body.type).toBe('quote-expired');
    const second = await harness.checkout({ ...grove, quote }, { key, url: later.url });
    expect(second).toMatchObject({ status: 200, body: first.body });
  });

  test('finds its payment after it was paid: a reload never pays twice', async () => {
    const first = await harness.checkout(grove, { key });
    await harness.pay(first);
    await harness.events.next('payment.succeeded', ({ data }) => data.orderId === first.body.orderId);
    const second = await harness.checkout(grove, { key });
    expect(second.body).toEqual(first.body);
    expect(await intents()).toHaveLength(1);
  });

  test.each(['short', 'with blanks in it', 'x'.repeat(129)])('that is "%.20s" is refused', async (wrong) => {
    const answer = await harness.checkout(grove, { key: wrong });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ path: 'Idempotency-Key' }] } });
    expect(await payments()).toHaveLength(0);
  });
});

describe('when Stripe does not answer', () => {
  afterEach(async () => {
    harness.door.set('open');
    await webhooks(harness, 'deliver');
  });

  test('but its webhook arrives, nothing is stored, and a retry can pay that intent', async () => {
    harness.door.set('silent');
    expect((await harness.checkout(grove, { key })).status).toBe(503);
    const [intent] = await intents();
    await waitFor(() => isTold(harness, intent!.id, 'payment_intent.created'));
    expect(await payments()).toHaveLength(0);
    harness.door.set('open');
    const answer = await harness.checkout(grove, { key });
    expect(answer.body.client_secret).toBe(intent!.client_secret);
    await harness.pay(answer);
    const { data } = await harness.events.next(
      'payment.succeeded',
      (event) => event.data.orderId === answer.body.orderId,
    );
    expect(data.transactionId).toBe(intent!.id);
  });

  test('the buyer is asked to try again shortly, and nothing can be charged twice', async () => {
    harness.door.set('shut');
    const refused = await harness.checkout(grove, { key });
    expect(refused).toMatchObject({ status: 503, body: { type: 'unavailable' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    harness.door.set('open');
    const answer = await harness.checkout(grove, { key });
    expect(answer.status).toBe(200);
    expect(await payments()).toHaveLength(1);
    expect(await intents()).toHaveLength(1);
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

  test('because its answer was lost, the retry gets the same intent', async () => {
    harness.door.set('silent');
    expect((await harness.checkout(grove, { key })).status).toBe(503);
    const [made] = await intents();
    harness.door.set('open');
    const answer = await harness.checkout(grove, { key });
    expect(answer.status).toBe(200);
    expect(answer.body.client_secret).toBe(made!.client_secret);
    expect(await intents()).toHaveLength(1);
  });

  test('and the process dies first, another replica continues with the same intent', async () => {
    await webhooks(harness, 'lose');
    harness.door.set('silent');
    await harness.checkout(grove, { key });
    expect(await payments()).toHaveLength(0);
    harness.door.set('open');
    const restarted = await harness.start();
    const answer = await harness.checkout(grove, { key, url: restarted.url });
    const [intent, ...more] = await intents();
    expect(more).toEqual([]);
    expect(intent!.metadata).toMatchObject({ orderId: answer.body.orderId });
    expect(await payments()).toMatchObject([
      { id: intent!.metadata.paymentId, status: 'open', intent_id: intent!.id },
    ]);
  });
});

test('when pricing does not answer, no payment is stored', async () => {
  harness.pricing.setDown(true);
  const answer = await harness.checkout(grove, { key });
  harness.pricing.setDown(false);
  expect(answer).toMatchObject({ status: 503, body: { type: 'unavailable' } });
  expect(await payments()).toHaveLength(0);
});
