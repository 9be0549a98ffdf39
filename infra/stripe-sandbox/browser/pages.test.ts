import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openSandbox, type TestSandbox } from '../testing/sandbox.ts';

let sandbox: TestSandbox;
beforeAll(async () => void (sandbox = await openSandbox()));
afterAll(() => sandbox.remove());

const get = (path: string) => fetch(`${sandbox.url}${path}`);

test('the script is at its own address and at those Stripe uses', async () => {
  const scripts = await Promise.all(
    [sandbox.scriptUrl, `${sandbox.url}/v3/`, `${sandbox.url}/v3`, `${sandbox.url}/basil/stripe.js`].map(
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

test('the card form is a frame that loads only what is there', async () => {
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

test('nothing else of the disk is served', async () => {
  for (const path of [
    '/elements/router.ts',
    '/elements/..%2fservice.ts',
    '/elements/%2e%2e%2f%2e%2e%2fpackage.json',
  ]) {
    expect((await get(path)).status).toBe(404);
  }
});

test('a challenge is shown only to who knows the payment', async () => {
  const intent = await sandbox.stripe.paymentIntents.create({ amount: 2500, currency: 'usd' });
  const at = (secret: string) => get(`/challenge/${intent.id}?payment_intent_client_secret=${secret}`);
  expect((await at(intent.client_secret ?? '')).status).toBe(200);
  expect((await at('guess')).status).toBe(404);
  expect((await get('/challenge/pi_none?payment_intent_client_secret=x')).status).toBe(404);
});
