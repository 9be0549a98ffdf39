import chromiumPack from '@sparticuz/chromium';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { chromium, type Browser, type FrameLocator, type Page } from 'playwright-core';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openSandbox, type TestSandbox } from './sandbox.ts';

// Browsers are slow on a busy machine.
jest.setTimeout(60_000);

let sandbox: TestSandbox;
let shop: Shop;
let browser: Browser;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  sandbox = await openSandbox();
  shop = await openShop(sandbox);
  browser = await chromium.launch({
    executablePath: await chromiumPack.executablePath(),
    args: ['--no-sandbox', '--disable-gpu'],
  });
});
afterEach(() => page.context().close());
afterAll(async () => {
  await browser.close();
  await shop.close();
  await sandbox.remove();
});

async function visit(query = ''): Promise<FrameLocator> {
  page = await (await browser.newContext({ viewport: { width: 390, height: 800 } })).newPage();
  page.setDefaultTimeout(10_000);
  complaints = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) complaints.push(message.text());
  });
  await page.goto(shop.url + query);
  const card = page.frameLocator('#card iframe');
  await card.locator('#number').waitFor();
  return card;
}

async function fill(card: FrameLocator, number: string): Promise<void> {
  await card.getByLabel('Card number').fill('');
  await card.getByLabel('Card number').pressSequentially(number);
  await card.getByLabel('Expiration date').fill('');
  await card.getByLabel('Expiration date').pressSequentially('1234');
  await card.getByLabel('Security code').fill('123');
}

const pay = () => page.click('button');
const said = (text: string) => page.locator('#said', { hasText: text }).waitFor();
const lastIntent = async () => (await sandbox.stripe.paymentIntents.list({ limit: 1 })).data[0];
const challenge = () => page.frameLocator('body > iframe');

describe('the card form', () => {
  test('pays, from a shop with a strict content security policy', async () => {
    const card = await visit();
    await fill(card, '4242424242424242');
    expect(await card.getByLabel('Card number').inputValue()).toBe('4242 4242 4242 4242');
    expect(await card.getByLabel('Expiration date').inputValue()).toBe('12 / 34');
    await pay();
    await said('succeeded');
    expect(await lastIntent()).toMatchObject({ status: 'succeeded', amount_received: 2500 });
    expect(complaints).toEqual([]);
  });

  test('shows what is missing beside each field, and focuses the first', async () => {
    const card = await visit();
    await pay();
    await said('incomplete_number');
    const number = card.getByLabel('Card number');
    expect(await number.getAttribute('aria-invalid')).toBe('true');
    const description = await number.getAttribute('aria-describedby');
    expect(await card.locator(`#${description}`).textContent()).toBe('Your card number is incomplete.');
    expect(await card.locator(':focus').getAttribute('id')).toBe('number');
    await fill(card, '4242424242424242');
    expect(await number.getAttribute('aria-invalid')).toBeNull();
    expect(await card.locator('.Error:not(:empty)').count()).toBe(0);
  });

  test('reports an invalid number as soon as it is complete', async () => {
    const card = await visit();
    await card.getByLabel('Card number').pressSequentially('4242424242424241');
    await card.getByText('Your card number is invalid.').waitFor();
  });

  test('can be filled and submitted by keyboard', async () => {
    await visit();
    await page.focus('#email');
    for (const keys of ['4242424242424242', '1234', '123']) {
      await page.keyboard.press('Tab');
      await page.keyboard.type(keys);
    }
    await page.keyboard.press('Enter');
    await said('succeeded');
  });

  test('is in Spanish, also after a declined card, and another may be tried', async () => {
    const card = await visit('?locale=es');
    await card.getByLabel('Número de tarjeta').pressSequentially('4000000000009995');
    await card.getByLabel('Fecha de vencimiento').pressSequentially('1234');
    await card.getByLabel('Código de seguridad').fill('123');
    await pay();
    await said('Tu tarjeta no tiene fondos suficientes.');
    await card.getByLabel('Número de tarjeta').fill('5555555555554444');
    await pay();
    await said('succeeded');
  });

  test('keeps the card out of the shop: its frame is of another origin', async () => {
    await visit();
    const reachable = await page.evaluate(
      () => (globalThis as any).document.querySelector('#card iframe').contentDocument, // eslint-disable-line @typescript-eslint/no-explicit-any
    );
    expect(reachable).toBeNull();
    expect(await page.locator('#card iframe').getAttribute('title')).toBe('Secure payment input frame');
  });
});

describe('a card that needs authentication', () => {
  const start = async () => {
    await fill(await visit(), '4000002760003184');
    await pay();
    await challenge().getByRole('dialog', { name: '3D Secure test page' }).waitFor();
  };

  test('pays once the challenge is completed', async () => {
    await start();
    await challenge().getByRole('button', { name: 'Complete' }).click();
    await said('succeeded');
    expect(await page.locator('body > iframe').count()).toBe(0);
  });

  test('does not pay when it fails', async () => {
    await start();
    await challenge().getByRole('button', { name: 'Fail' }).click();
    await said('We are unable to authenticate your payment method.');
    expect(await lastIntent()).toMatchObject({ status: 'requires_payment_method', latest_charge: null });
  });

  test('keeps the focus on its buttons, and fails on Escape', async () => {
    await start();
    const focused = () => challenge().locator(':focus').textContent();
    expect(await focused()).toBe('Complete authentication');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Fail authentication');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Complete authentication');
    await page.keyboard.press('Escape');
    await said('We are unable to authenticate your payment method.');
  });
});

test('the hosted page takes a payment and returns to the shop', async () => {
  const session = await sandbox.stripe.checkout.sessions.create({
    mode: 'payment',
    line_items: [{ price: 'price_lifetime', quantity: 1 }],
    success_url: `${shop.url}/?session={CHECKOUT_SESSION_ID}`,
    customer_email: 'ana@example.com',
    locale: 'en',
  });
  await visit();
  await page.goto(session.url ?? '');
  const card = page.frameLocator('#card iframe');
  await page.getByLabel('Cardholder name').fill('Ana');
  await fill(card, '4242424242424242');
  await page.getByRole('button', { name: 'Pay $35.00' }).click();
  await page.waitForURL(`${shop.url}/?session=${session.id}`);
  expect(await sandbox.stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
    status: 'complete',
    payment_status: 'paid',
  });
});

/** No inline code, like the product's own policy. */
const policy = (sandbox: string) =>
  `default-src 'self'; script-src 'self' ${sandbox}; frame-src ${sandbox}; connect-src 'self' ${sandbox}; style-src 'self'`;

const PAGE = (scriptUrl: string) => `<!doctype html><html lang="en"><head><title>Shop</title>
<script src="${scriptUrl}"></script></head><body><main><h1>Shop</h1>
<form><label>Email <input id="email"></label><div id="card"></div><button>Pay</button><p id="said" role="status"></p></form>
</main><script src="/shop.js"></script></body></html>`;

/** A minimal shop with a Payment Element. */
const SCRIPT = `
const locale = new URLSearchParams(location.search).get('locale') ?? 'en';
const stripe = Stripe('pk_test_sandbox', { locale });
const elements = stripe.elements({ mode: 'payment', amount: 2500, currency: 'usd', locale,
  appearance: { variables: { colorText: '#16261D', borderRadius: '4px' }, rules: { '.Label': { fontWeight: '600' } } } });
elements.create('payment').mount('#card');
const said = document.querySelector('#said');
async function pay() {
  const { error: incomplete } = await elements.submit();
  if (incomplete) return incomplete.code;
  const { clientSecret } = await (await fetch('/intent')).json();
  const { error, paymentIntent } = await stripe.confirmPayment({ elements, clientSecret, redirect: 'if_required' });
  return error ? error.message : paymentIntent.status;
}
document.querySelector('form').addEventListener('submit', async (event) => {
  event.preventDefault();
  said.textContent = '';
  said.textContent = await pay().catch((error) => 'thrown: ' + error.message);
});`;

interface Shop {
  url: string;
  close(): Promise<void>;
}

/** A shop of another origin than the sandbox, with a strict content security policy. */
async function openShop(sandbox: TestSandbox): Promise<Shop> {
  const server = createServer(async (req, res) => {
    if (req.url === '/intent') {
      const intent = await sandbox.stripe.paymentIntents.create({ amount: 2500, currency: 'usd' });
      res
        .setHeader('Content-Type', 'application/json')
        .end(JSON.stringify({ clientSecret: intent.client_secret }));
    } else if (req.url === '/shop.js') {
      res.setHeader('Content-Type', 'text/javascript').end(SCRIPT);
    } else {
      res.setHeader('Content-Security-Policy', policy(sandbox.url));
      res.setHeader('Content-Type', 'text/html').end(PAGE(sandbox.scriptUrl));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
