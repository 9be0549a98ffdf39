import {
  type Endpoint,
  type EndpointKey,
  isInternal,
  methodOf,
  pathOf,
  rolesOf,
} from '@arboleda/contracts/endpoint.ts';
import { ENDPOINTS } from '@arboleda/contracts/endpoints/index.ts';
import { openDriver } from '../../driver/driver.ts';
import { waitFor } from '../../harness/wait.ts';
import { fillPath, realParameters } from '../../api/objects.ts';
import type { Target } from '../frame/target.ts';
import type { Report, Topic } from '../frame/topic.ts';

const EVIL = 'https://evil.example';
const ALL = (Object.entries(ENDPOINTS) as [EndpointKey, Endpoint][]).filter(
  ([key]) => !isInternal(pathOf(key)),
);
/** A form of another site can send these without asking first; JSON it cannot. */
const SIMPLE_TYPES = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'];
const FROM_ELSEWHERE = {
  Origin: EVIL,
  Referer: `${EVIL}/`,
  'Sec-Fetch-Site': 'cross-site',
  'Sec-Fetch-Mode': 'no-cors',
};

/** Another site can neither act for somebody nor read for them, nor send them on under our name. */
export const crossSite: Topic = {
  name: 'cross-site',
  async run(target, report) {
    for (const [key, endpoint] of ALL) await asAnotherSite(target, report, key, endpoint);
    await unsignedWebhooks(target, report);
    await openRedirects(target, report);
    await returnAddresses(target, report);
  },
};

async function asAnotherSite(
  target: Target,
  { check }: Report,
  key: EndpointKey,
  { fromAnywhere, access, stream }: Endpoint,
) {
  const {
    filled: { product, objects },
    tokens,
  } = target;
  const url = product.url + fillPath(key, realParameters(key, objects));
  const method = methodOf(key);
  const preflight = await fetch(url, {
    method: 'OPTIONS',
    headers: {
      ...FROM_ELSEWHERE,
      'Access-Control-Request-Method': method,
      'Access-Control-Request-Headers': 'authorization,content-type',
    },
  });
  await preflight.arrayBuffer();
  const allowed = [...preflight.headers.keys()].filter((name) => name.startsWith('access-control-'));
  check(
    `${key}: a preflight is not answered as another site wishes`,
    preflight.status >= 400 && allowed.length === 0,
    [preflight.status, allowed],
  );

  if (method === 'GET' && !stream) {
    for (const origin of [EVIL, 'null', product.url.replace('http', 'https')]) {
      const { headers, body: read } = await fetch(url, { headers: { ...FROM_ELSEWHERE, Origin: origin } });
      await read?.cancel();
      const shared = [...headers.keys()].filter((name) => name.startsWith('access-control-'));
      check(`${key}: nothing is shared with ${origin}`, shared.length === 0, shared);
      // Mail programs show photos of trees.
      const policy = key === 'GET /api/photos/{filename}' ? 'cross-origin' : 'same-origin';
      check(`${key}: no other site embeds it`, headers.get('cross-origin-resource-policy') === policy);
    }
  }
  if (fromAnywhere || method === 'GET') return;
  const token = tokens[rolesOf(access)[0]!];
  for (const type of SIMPLE_TYPES) {
    const response = await fetch(url, {
      method,
      headers: {
        ...FROM_ELSEWHERE,
        'Content-Type': type,
        ...(token && { Authorization: `Bearer ${token}` }),
      },
      body: '{"email":"owner-customer@api.test","password":"guadua-cedro-7310"}',
    });
    await response.arrayBuffer();
    check(`${key}: ${type} from another site is refused`, response.status === 403, response.status);
  }
}

/** Unsigned webhooks are refused. */
async function unsignedWebhooks({ filled: { product } }: Target, { check }: Report): Promise<void> {
  const paid = JSON.stringify({
    id: 'evt_1',
    type: 'payment_intent.succeeded',
    data: { object: { id: 'pi_1', amount: 1 } },
  });
  const now = Math.floor(Date.now() / 1000);
  const signatures = {
    none: undefined,
    empty: '',
    'not one': 'x',
    zeros: `t=${now},v1=${'0'.repeat(64)}`,
    'an old scheme': `t=${now},v0=${'0'.repeat(64)}`,
    'no time': `v1=${'0'.repeat(64)}`,
  };
  for (const [name, signature] of Object.entries(signatures)) {
    const response = await fetch(`${product.url}/api/payments/stripe-webhook`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...(signature !== undefined && { 'Stripe-Signature': signature }),
      },
      body: paid,
    });
    await response.arrayBuffer();
    check(`a webhook whose signature is ${name} is refused`, response.status === 400, response.status);
  }
}

const REDIRECTS = [
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '/%5cevil.example',
  '/%2f%2fevil.example',
  '/https://evil.example',
  '/https:evil.example',
  '/.evil.example',
  '/%09/evil.example',
  '/%0d%0aLocation:%20https://evil.example',
  '//evil.example/%2e%2e',
  '/evil.example/..;/',
  '/?next=//evil.example',
  '/?redirect=https://evil.example',
  '/customer-portal?next=https://evil.example',
  '/customer-portal?returnTo=//evil.example',
  '/admin-dashboard?next=%2F%2Fevil.example',
  '/plant-trees?return_url=javascript:alert(1)',
  '/api/docs//evil.example',
  '/api/docs?url=https://evil.example',
  '/api?next=//evil.example',
  '/assets//evil.example',
  '/mail-preferences?next=//evil.example',
];

async function openRedirects({ filled: { product } }: Target, { check }: Report): Promise<void> {
  for (const path of REDIRECTS) {
    const response = await fetch(new URL(product.url).origin + path, { redirect: 'manual' });
    const text = await response.text();
    const to = response.headers.get('location');
    check(
      `${path} sends nobody elsewhere`,
      to === null || new URL(to, product.url).origin === product.url,
      to,
    );
    const repeated = /(?:href|src|content|action)="[^"]*evil\.example/.exec(text)?.[0];
    check(`${path} leads nowhere else`, repeated === undefined && !response.headers.has('refresh'), repeated);
  }
}

/** Where Stripe sends a buyer back to is the site as it is configured, whatever the buyer's browser calls it. */
async function returnAddresses(
  { filled: { product, call }, tokens }: Target,
  { check }: Report,
): Promise<void> {
  const { orderId } = await openDriver(product).buy('owner-customer@api.test', { trees: 1 });
  const checkout = await waitFor('an order that growth updates can be bought for', () =>
    call('POST /api/payments/create-photo-package-checkout', {
      token: tokens.customer,
      body: { priceId: 'price_first_year', originalOrderId: orderId },
      headers: { Origin: EVIL, Referer: `${EVIL}/`, 'X-Forwarded-Host': 'evil.example' },
    }).catch(() => undefined),
  );
  const id = /cs_\w+/.exec(checkout.checkoutUrl)?.[0] ?? '';
  const response = await fetch(`${product.stripeApiUrl}/v1/checkout/sessions/${id}`, {
    headers: { Authorization: `Bearer ${product.stripeSecretKey}` },
  });
  const session = (await response.json()) as { success_url: string; cancel_url: string };
  for (const [name, url] of Object.entries({ success: session.success_url, cancel: session.cancel_url })) {
    check(`after ${name} a buyer comes back to us`, URL.parse(url)?.origin === product.url, url);
  }
}
