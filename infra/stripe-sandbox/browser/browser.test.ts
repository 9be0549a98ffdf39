import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import vm from 'node:vm';
import { openSandbox, type TestSandbox } from '../test/sandbox.ts';
import { brandOf, caretAfter, formatExpiry, groupNumber, passesLuhn, problemsOf } from './card-number.js';
import { sandboxScript } from './pages.ts';
import { textsFor, translated } from './texts.js';

describe('a card number', () => {
  test.each([
    ['4242', 'visa'],
    ['5555', 'mastercard'],
    ['2223003122003222', 'mastercard'],
    ['2720990000000007', 'mastercard'],
    ['34', 'amex'],
    ['9', 'unknown'],
    ['', 'unknown'],
  ])('%s is of %s', (digits, brand) => expect(brandOf(digits).name).toBe(brand));

  test.each([
    ['4242424242424242', '4242 4242 4242 4242'],
    ['4242 4242 42', '4242 4242 42'],
    ['378282246310005', '3782 822463 10005'],
    ['42424242424242421', '4242 4242 4242 4242'],
    ['abc', ''],
  ])('%s is shown as %s', (typed, shown) => expect(groupNumber(typed)).toBe(shown));

  test('has a check digit', () => {
    expect(passesLuhn('4242424242424242')).toBe(true);
    expect(passesLuhn('4242424242424241')).toBe(false);
    expect(passesLuhn('')).toBe(false);
  });
});

describe('an expiry date', () => {
  test.each([
    ['1', '1'],
    ['12', '12 / '],
    ['4', '04 / '],
    ['1234', '12 / 34'],
    ['12/34', '12 / 34'],
    ['12 / 2034', '12 / 34'],
  ])('%s is shown as %s', (typed, shown) => expect(formatExpiry(typed)).toBe(shown));

  test('can be deleted over the slash', () => expect(formatExpiry('12 /', true)).toBe('12'));
});

test('the caret stays behind the digit that was typed', () => {
  expect(caretAfter('4242 4242', 4)).toBe(4);
  expect(caretAfter('4242 4242', 5)).toBe(6);
  expect(caretAfter('12 / ', 2)).toBe(5);
  expect(caretAfter('12 / 34', 0)).toBe(0);
});

describe('validation', () => {
  const good = { number: '4242 4242 4242 4242', expiry: '12 / 30', cvc: '123', country: 'CO' };
  const now = new Date(2026, 10, 21);

  test('a good card has no problems', () => expect(problemsOf(good, now)).toEqual({}));

  test.each([
    [{ number: '4242' }, { number: 'incomplete_number' }],
    [{ number: '4242 4242 4242 4241' }, { number: 'invalid_number' }],
    [{ expiry: '1' }, { expiry: 'incomplete_expiry' }],
    [{ expiry: '13 / 30' }, { expiry: 'invalid_expiry_month' }],
    [{ expiry: '10 / 26' }, { expiry: 'invalid_expiry_month_past' }],
    [{ expiry: '12 / 25' }, { expiry: 'invalid_expiry_year_past' }],
    [{ expiry: '12 / 99' }, { expiry: 'invalid_expiry_year' }],
    [{ cvc: '12' }, { cvc: 'incomplete_cvc' }],
    [{ number: '378282246310005' }, { cvc: 'incomplete_cvc' }],
    [{ country: '' }, { country: 'incomplete_country' }],
  ])('with %j', (change, problems) => expect(problemsOf({ ...good, ...change }, now)).toEqual(problems));

  test('a card that expires this month has no problems', () => {
    expect(problemsOf({ ...good, expiry: '11 / 26' }, now)).toEqual({});
  });
});

describe('pages', () => {
  let sandbox: TestSandbox;

  beforeAll(async () => void (sandbox = await openSandbox()));

  afterAll(() => sandbox.remove());

  const get = (path: string) => fetch(`${sandbox.url}${path}`);

  test('the script is served at its own address, at those Stripe uses, and at any release train', async () => {
    const scripts = await Promise.all(
      [sandbox.scriptUrl, `${sandbox.url}/v3/`, `${sandbox.url}/v3`, `${sandbox.url}/acacia/stripe.js`].map(
        async (url) => {
          const answer = await fetch(url);
          expect(answer.headers.get('content-type')).toMatch(/javascript/);
          return answer.text();
        },
      ),
    );
    expect(new Set(scripts).size).toBe(1);
    expect(scripts[0]).not.toMatch(/^(import|export) /m);
  });

  test('the card form is a frame that loads only existing files', async () => {
    const page = await get('/elements/payment');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const asked = [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? '');
    const seen = new Set<string>();
    while (asked.length > 0) {
      const path = asked.pop() ?? '';
      if (seen.has(path)) continue;
      seen.add(path);
      const answer = await get(path);
      expect([path, answer.status]).toEqual([path, 200]);
      const imports = [...(await answer.text()).matchAll(/from '\.\/([\w-]+\.js)'/g)];
      asked.push(...imports.map(([, name]) => `/elements/${name}`));
    }
    expect([...seen]).toEqual(expect.arrayContaining(['/elements/payment.css', '/elements/card-number.js']));
  });

  test('no other file of the disk is served', async () => {
    for (const path of [
      '/elements/pages.ts',
      '/elements/..%2fservice.ts',
      '/elements/%2e%2e%2f%2e%2e%2fpackage.json',
    ]) {
      expect((await get(path)).status).toBe(404);
    }
  });

  test('a challenge is shown only to callers that know the payment', async () => {
    const intent = await sandbox.stripe.paymentIntents.create({ amount: 2500, currency: 'usd' });
    const at = (secret: string) => get(`/challenge/${intent.id}?payment_intent_client_secret=${secret}`);
    expect((await at(intent.client_secret ?? '')).status).toBe(200);
    expect((await at('guess')).status).toBe(404);
    expect((await get('/challenge/pi_none?payment_intent_client_secret=x')).status).toBe(404);
  });
});

/** Loads the script as a page would. */
async function load(src: string) {
  const window: Record<string, any> = { navigator: { language: 'en' } }; // eslint-disable-line @typescript-eslint/no-explicit-any
  const document = { currentScript: { src } };
  const script = await sandboxScript();
  vm.runInNewContext(script, { window, document, URL, console });
  return window.Stripe;
}

describe('the script', () => {
  test('defines Stripe synchronously, with the version in its URL', async () => {
    expect((await load('http://127.0.0.1:1/endive/stripe.js')).version).toBe('endive');
    expect((await load('http://127.0.0.1:1/v3/')).version).toBe(3);
  });

  test('is accepted by react-stripe-js', async () => {
    const stripe = (await load('http://127.0.0.1:1/v3/'))('pk_test_x');
    for (const name of [
      'elements',
      'createToken',
      'createPaymentMethod',
      'confirmCardPayment',
      'confirmPayment',
    ]) {
      expect(typeof stripe[name]).toBe('function');
    }
  });

  test('reports mistakes of the shop like Stripe.js', async () => {
    const Stripe = await load('http://127.0.0.1:1/v3/');
    expect(() => Stripe('sk_test_x')).toThrow(/secret key/);
    expect(() => Stripe()).toThrow(/apiKey/);
    const stripe = Stripe('pk_test_x');
    expect(() => stripe.elements({ mode: 'payment', amount: 0, currency: 'usd' })).toThrow(/amount/);
    expect(() => stripe.elements({ mode: 'payment', amount: 100, currency: 'USD' })).toThrow(/currency/);
    const elements = stripe.elements({ mode: 'payment', amount: 100, currency: 'usd' });
    elements.create('payment');
    expect(() => elements.create('payment')).toThrow(/Can only create one/);
    expect(elements.getElement('payment')).not.toBeNull();
    await expect(stripe.confirmPayment({ elements, redirect: 'if_required' })).rejects.toThrow(
      /clientSecret/,
    );
    await expect(stripe.confirmPayment({ elements, clientSecret: 'pi_1_secret_1' })).rejects.toThrow(
      /redirect/,
    );
  });
});

describe('its texts', () => {
  test('exist in both languages', () => {
    const [en, es] = [textsFor('en'), textsFor('es-CO')];
    expect(es.lang).toBe('es');
    expect(Object.keys(en).filter((key) => !es[key])).toEqual([]);
    expect(textsFor('auto', 'es-MX').lang).toBe('es');
    expect(textsFor('fr').lang).toBe('en');
  });

  test('an API error is shown in the language of the page', () => {
    const error = {
      code: 'card_declined',
      decline_code: 'insufficient_funds',
      message: 'Your card has insufficient funds.',
    };
    expect(translated(error, textsFor('es')).message).toBe('Tu tarjeta no tiene fondos suficientes.');
    expect(translated(error, textsFor('en'))).toBe(error);
    expect(translated({ message: 'Other' }, textsFor('es')).message).toBe('Other');
  });
});
