import { ConfigError } from '@arboleda/chassis/config.ts';
import { orderTokens } from '@arboleda/chassis/order-token.ts';
import {
  TEST_ORDER_TOKEN_SECRET,
  testOrderToken,
  testServiceKeyVariables,
} from '@arboleda/chassis/testing/config.ts';
import { BANK_IDS } from '@arboleda/contracts/payment-method.ts';
import type { PurchaseRequest } from '@arboleda/contracts/purchase.ts';
import { QUOTE_AUDIENCE, QUOTE_ISSUER, type QuoteClaims } from '@arboleda/contracts/quote.ts';
import { describe, expect, test } from '@jest/globals';
import { type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import Stripe from 'stripe';
import { z } from 'zod';
import type { PaymentState } from '../cards/payment.ts';
import { nextCheck } from '../cards/store.ts';
import { paymentsConfig } from '../config.ts';
import { checkPackage, idsOf, newIds, purchaseOf, readQuote, requestHash } from './purchase.ts';
import { purchaseOfRow } from './row.ts';

const request: PurchaseRequest = {
  trees: 5,
  packageType: 'grove',
  currency: 'COP',
  customerEmail: 'ana@arboleda.test',
  customerName: 'Ana García',
  locale: 'es-co',
};

const quote: QuoteClaims = {
  jti: 'q-1',
  currency: 'COP',
  country: 'CO',
  rate: 4115,
  ratesAsOf: '2026-11-20',
};

const ids = { paymentId: 'p-1', orderId: '0'.repeat(24), orderToken: 'A'.repeat(22) };

describe('a purchase', () => {
  test('costs what the quote promised, and keeps the quote', () => {
    expect(purchaseOf(request, quote, ids, 'en')).toEqual({
      ...ids,
      packageType: 'grove',
      trees: 5,
      amountMinor: 8_230_000,
      currency: 'COP',
      quote: { id: 'q-1', rate: 4115, ratesAsOf: '2026-11-20' },
      customer: { name: 'Ana García', email: 'ana@arboleda.test', country: 'CO' },
      language: 'es',
      locale: 'es-CO',
    });
  });

  test.each([
    ['es-419', 'es', 'es-419'],
    ['en', 'en', 'en'],
    ['fr-FR', 'en', 'fr-FR'],
    ['not a tag', 'es', undefined],
    ['\u0000', 'es', undefined],
    [undefined, 'es', undefined],
  ] as const)('of a browser that says %j, by a reader of Spanish, speaks %s', (locale, language, kept) => {
    const purchase = purchaseOf({ ...request, locale }, quote, ids, 'es');
    expect(purchase).toMatchObject({ language });
    expect(purchase.locale).toBe(kept);
  });

  test('needs a quote of its own currency', () => {
    const inDollars = { ...request, currency: 'USD' as const };
    expect(() => purchaseOf({ ...inDollars, quote: 'of pesos' }, quote, ids, 'en')).toThrow(
      expect.objectContaining({ type: 'quote-invalid' }),
    );
    // A buyer without a quote asked for a currency that is not offered now.
    expect(() => purchaseOf({ ...inDollars, quote: undefined }, quote, ids, 'en')).toThrow(
      expect.objectContaining({ type: 'validation-failed', fields: [{ path: 'currency', type: 'invalid' }] }),
    );
  });
});

test('a stored purchase has the details that its buyer gave; a row of 1.0 has none', () => {
  const bought = purchaseOf(request, quote, ids, 'en');
  const row = {
    id: 'p-1',
    order_id: ids.orderId,
    order_token: ids.orderToken,
    package_type: 'grove',
    trees: 5,
    amount_minor: '8230000',
    currency: 'COP',
    quote: bought.quote,
    customer: bought.customer,
    language: 'es',
    locale: 'es-CO',
    gift: null,
    details: null,
  } as const;
  expect(purchaseOfRow(row)).toEqual(bought);
  const details: Record<string, string> = { words: 'For my grandmother' };
  expect(purchaseOfRow({ ...row, details })).toEqual({ ...bought, ...details });
});

describe('package and count', () => {
  test.each([
    ['individual', 1],
    ['grove', 5],
    ['patch', 20],
    ['custom', 7],
  ] as const)('%s is sold as %d trees', (packageType, trees) => {
    expect(() => checkPackage({ ...request, packageType, trees })).not.toThrow();
  });

  test.each([
    ['individual', 2],
    ['grove', 6],
    ['patch', 5],
  ] as const)('%s is not sold as %d trees', (packageType, trees) => {
    expect(() => checkPackage({ ...request, packageType, trees })).toThrow(
      expect.objectContaining({ type: 'validation-failed', fields: [{ path: 'trees', type: 'invalid' }] }),
    );
  });
});

describe('the hash of a request', () => {
  test('is the same for the same request, however its fields are ordered', () => {
    const reversed = Object.fromEntries(Object.entries(request).reverse()) as PurchaseRequest;
    expect(requestHash(reversed)).toBe(requestHash(request));
  });

  test('differs when any field differs', () => {
    const variants: Partial<PurchaseRequest>[] = [
      { trees: 6 },
      { packageType: 'custom' },
      { currency: 'USD' },
      { customerEmail: 'eva@arboleda.test' },
      { customerName: 'Eva' },
      { locale: 'en' },
      { quote: 'x' },
    ];
    const hashes = variants.map((variant) => requestHash({ ...request, ...variant }));
    expect(new Set([...hashes, requestHash(request)]).size).toBe(variants.length + 1);
  });
});

const secret = 'only pricing and payments know it';

const now = new Date('2026-11-21T12:00:00Z');

const nowS = now.getTime() / 1000;

const promise = { jti: 'q-1', currency: 'COP', country: 'CO', rate: 4115, ratesAsOf: '2026-11-20' } as const;

const claims: JWTPayload = { ...promise, iss: QUOTE_ISSUER, aud: QUOTE_AUDIENCE, exp: nowS + 1 };

const sign = (payload: JWTPayload, key = secret, alg = 'HS256') =>
  new SignJWT(payload).setProtectedHeader({ alg }).sign(new TextEncoder().encode(key));

test('a quote signed by pricing is read back', async () => {
  expect(await readQuote(await sign(claims), secret, now)).toEqual(promise);
});

test('distinguishes an expired quote from a forged one', async () => {
  await expect(readQuote(await sign({ ...claims, exp: nowS }), secret, now)).rejects.toMatchObject({
    type: 'quote-expired',
  });
});

describe('an invalid quote', () => {
  const { exp: _exp, ...endless } = claims;
  const { jti: _jti, ...nameless } = claims;
  test.each<[string, () => Promise<string> | string]>([
    ['signed by somebody else', () => sign(claims, 'a secret that somebody made up')],
    ['signed by another method', () => sign(claims, `${secret}${'.'.repeat(40)}`, 'HS512')],
    ['not signed', () => new UnsecuredJWT(claims).encode()],
    ['without an end', () => sign(endless)],
    ['without a name', () => sign(nameless)],
    ['for somebody else', () => sign({ ...claims, aud: 'orders' })],
    ['of somebody else', () => sign({ ...claims, iss: 'orders' })],
    ['at no rate', () => sign({ ...claims, rate: 0 })],
    ['at a negative rate', () => sign({ ...claims, rate: -4115 })],
    ['in gold', () => sign({ ...claims, currency: 'XAU' })],
    ['nonsense', () => 'nonsense'],
    ['nothing', () => ''],
    ['changed on the way', async () => (await sign(claims)).replace(/\.[^.]+\./, `.${cheaper(claims)}.`)],
  ])('%s', async (_what, make) => {
    await expect(readQuote(await make(), secret, now)).rejects.toMatchObject({ type: 'quote-invalid' });
  });
});

const cheaper = (payload: JWTPayload): string =>
  Buffer.from(JSON.stringify({ ...payload, rate: 1 })).toString('base64url');

const env = {
  ...testServiceKeyVariables('payments'),
  QUOTE_SECRET: 'q'.repeat(32),
  ORDER_TOKEN_SECRET: TEST_ORDER_TOKEN_SECRET,
  DATABASE_URL: 'postgres://localhost/arboleda',
  AUTH_URL: 'http://localhost:1',
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  BANK_ACCOUNTS: BANK_IDS.map((bank) => `${bank}|Ahorros|1|Arboleda|2`).join(';'),
};

test('uses Stripe itself by default', () => {
  expect(paymentsConfig(env).stripe).toEqual({
    secretKey: 'sk_test_1',
    publishableKey: 'pk_test_1',
    webhookSecrets: ['whsec_1'],
    apiUrl: 'https://api.stripe.com',
    scriptUrl: 'https://js.stripe.com/endive/stripe.js',
    detailWithinMs: 3_000,
  });
});

test('makes the browser load the Stripe.js release that matches the server’s API version', () => {
  const [, train] = Stripe.API_VERSION.split('.');
  expect(paymentsConfig(env).stripe.scriptUrl).toBe(`https://js.stripe.com/${train}/stripe.js`);
});

test('accepts two webhook secrets during a rotation', () => {
  const { stripe } = paymentsConfig({ ...env, STRIPE_WEBHOOK_SECRET: 'whsec_new, whsec_old' });
  expect(stripe.webhookSecrets).toEqual(['whsec_new', 'whsec_old']);
});

test('sells only photo packages that have a price', () => {
  expect(paymentsConfig(env).photoPackages).toEqual({});
  const prices = {
    STRIPE_PRICE_FIRST_YEAR: 'price_1',
    STRIPE_PRICE_THREE_YEAR: '',
    STRIPE_PRICE_LIFETIME: 'price_3',
  };
  expect(paymentsConfig({ ...env, ...prices }).photoPackages).toEqual({
    first_year: 'price_1',
    lifetime: 'price_3',
  });
});

describe('startup fails with', () => {
  test.each([
    ['STRIPE_SECRET_KEY', 'pk_test_1'],
    ['STRIPE_SECRET_KEY', undefined],
    ['STRIPE_PUBLISHABLE_KEY', 'sk_test_1'],
    ['STRIPE_WEBHOOK_SECRET', 'whsec_'],
    ['STRIPE_WEBHOOK_SECRET', 'whsec_1,'],
    ['STRIPE_API_URL', 'api.stripe.com'],
    ['QUOTE_SECRET', 'short'],
    ['ORDER_TOKEN_SECRET', undefined],
    ['BANK_ACCOUNTS', ''],
    ['BANK_ACCOUNTS', 'bancolombia|Ahorros||Arboleda|2'],
    ['RECONCILE_INTERVAL_SECONDS', '0'],
    ['RECONCILE_LISTS_INTERVAL_SECONDS', 'often'],
    ['STRIPE_PRICE_LIFETIME', 'a price'],
  ])('%s = %j', (name, value) => {
    const start = () => paymentsConfig({ ...env, [name]: value });
    expect(start).toThrow(ConfigError);
    expect(start).toThrow(name);
  });
});

describe.each([
  ['new ones', () => newIds(testOrderToken)],
  ['those of words', () => idsOf('some words', testOrderToken)],
])('names of a payment and its order, %s', (_what, make) => {
  test('are a UUID, 24 hexadecimal digits and 128 bits', () => {
    const { paymentId, orderId, orderToken } = make();
    expect(z.uuid().safeParse(paymentId).success).toBe(true);
    expect(orderId).toMatch(/^[0-9a-f]{24}$/);
    expect(Buffer.from(orderToken, 'base64url')).toHaveLength(16);
  });

  test('have a token that cannot be guessed without the secret', () => {
    const { orderId, orderToken } = make();
    expect(orderToken).toBe(testOrderToken(orderId));
    expect(orderTokens('another secret')(orderId)).not.toBe(orderToken);
  });
});

test('are derived from the input', () => {
  const { paymentId, orderId } = idsOf('some words', testOrderToken);
  expect(idsOf('some words', testOrderToken)).toMatchObject({ paymentId, orderId });
  for (const other of [idsOf('other words', testOrderToken), newIds(testOrderToken)]) {
    expect(other.paymentId).not.toBe(paymentId);
    expect(other.orderId).not.toBe(orderId);
  }
});

const createdAt = new Date('2026-11-01T00:00:00Z');

const HOUR_MS = 60 * 60 * 1000;

const open: PaymentState = { status: 'open', intentId: 'pi_1' };

const after = (ms: number) => new Date(createdAt.getTime() + ms);

const pauseMs = (state: PaymentState, ageMs: number): number | undefined => {
  const next = nextCheck(state, createdAt, after(ageMs), 30_000);
  return next && next.getTime() - createdAt.getTime() - ageMs;
};

describe('the reconciler checks a payment', () => {
  test.each([
    [0, 30_000],
    [60_000, 30_000],
    [HOUR_MS, HOUR_MS / 4],
    [10 * 24 * HOUR_MS, 6 * HOUR_MS],
  ])('of age %d ms after another %d ms', (ageMs, expected) => {
    expect(pauseMs(open, ageMs)).toBe(expected);
    expect(pauseMs({ ...open, status: 'processing' }, ageMs)).toBe(expected);
  });

  test('fewer than two hundred times in total', () => {
    let ageMs = 0;
    let checks = 0;
    for (let pause = pauseMs(open, 0); pause !== undefined; pause = pauseMs(open, ageMs)) {
      ageMs += pause;
      checks++;
    }
    expect(ageMs).toBeGreaterThan(30 * 24 * HOUR_MS);
    expect(checks).toBeLessThan(200);
  });

  test.each<[PaymentState]>([
    [{ status: 'succeeded', intentId: 'pi_1', paidAt: '2026-11-01T00:00:00Z' }],
    [{ status: 'canceled', intentId: 'pi_1', canceledAt: '2026-11-01T00:00:00Z' }],
  ])('no more when it is %j', (state) => {
    expect(nextCheck(state, createdAt, after(0), 30_000)).toBeUndefined();
  });
});
