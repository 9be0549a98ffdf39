import type { Role } from '@arboleda/contracts/roles.ts';
import { describe, expect, test } from '@jest/globals';
import { emailOf } from '../api/people.ts';
import { PASSWORD } from '../harness/accounts.ts';
import { useTarget } from './target.ts';

const target = useTarget();
const { orderId, orderToken, photoFilename, evidenceFilename } = target.objects;

async function look(path: string, init: RequestInit = {}, role?: Role) {
  const response = await fetch(target.product.url + path, {
    redirect: 'manual',
    ...init,
    headers: { ...init.headers, ...(role && { Authorization: `Bearer ${target.tokens[role]}` }) },
  });
  await response.body?.cancel();
  return response;
}

/** Expects the headers that every answer has. */
function expectProtected(path: string, { headers }: Response): void {
  const value = (name: string) => headers.get(name) ?? '';
  const policy = value('content-security-policy');
  const withoutPictures = policy.replace(/img-src[^;]*/, '');
  expect(withoutPictures).toMatch(/object-src 'none'|default-src 'none'/);
  expect(withoutPictures).not.toMatch(/unsafe|\*(?!\.)|data: *;|https?: /);
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain("base-uri 'none'");
  expect(value('permissions-policy')).toContain('microphone=()');
  // Mail programs show photos, and the frame of the card fields the typeface.
  const embeddedBy = path.startsWith('/api/photos/') ? 'cross-origin' : 'same-origin';
  if (!path.endsWith('.woff2')) expect(value('cross-origin-resource-policy')).toBe(embeddedBy);
  expect(Object.fromEntries(headers)).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'x-frame-options': 'DENY',
  });
  for (const name of ['server', 'x-powered-by', 'via', 'strict-transport-security', 'set-cookie'])
    expect([name, headers.get(name)]).toEqual([name, null]);
}

const json = (body: string): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body,
});
const LOGIN = '/api/auth/customer/login';

describe('whoever asks is protected in the answer to', () => {
  test.each<[what: string, path: string, init?: RequestInit, role?: Role]>([
    ['the landing page', '/'],
    ['the checkout', '/plant-trees'],
    ['the page of an order', `/orders/${orderToken}`],
    ['a portal', '/customer-portal'],
    ['an unknown page', '/nowhere'],
    ['the description of the API', '/api/docs'],
    ['that for machines', '/api/openapi.json'],
    ['the service worker', '/sw.js'],
    ['a file that is not there', '/assets/gone-1a2b.js'],
    ['JSON for everybody', '/api/stats'],
    ['health', '/readyz'],
    ['a photo', `/api/photos/${photoFilename}`],
    ['a part of a photo', `/api/photos/${photoFilename}`, { headers: { Range: 'bytes=0-9' } }],
    ['HEAD', '/api/stats', { method: 'HEAD' }],
    ['400', LOGIN, json('{')],
    ['401', '/api/customers/orders'],
    ['403', '/api/admin/payments', {}, 'customer'],
    ['404', '/api/nothing'],
    ['405', '/api/stats', { method: 'DELETE' }],
    ['413', LOGIN, json('x'.repeat(200_000))],
    ['415', LOGIN, { method: 'POST', body: 'x' }],
    ['422', LOGIN, json('{}')],
    ['a malformed path', '/api/%00'],
    ['a preflight', '/api/stats', { method: 'OPTIONS' }],
  ])('%s', async (_what, path, init = {}, role = undefined) => {
    expectProtected(path, await look(path, init, role));
  });

  test('every file of a page', async () => {
    const page = await (await fetch(target.product.url)).text();
    const files = page.matchAll(/(?:src|href)="(\/[\w./-]+\.(?:js|css|woff2|svg|webmanifest|png))"/g);
    const paths = new Set([...files].map(([, path]) => path!));
    expect(paths.size).toBeGreaterThan(2);
    for (const path of paths) expectProtected(path, await look(path));
  });
});

describe('no cache keeps for others', () => {
  test.each<[what: string, path: string, role?: Role]>([
    ['an order by its link', `/api/track/${orderToken}`],
    ['a customer’s orders', '/api/customers/orders', 'customer'],
    ['a customer’s export', '/api/customers/orders/export', 'customer'],
    ['a receipt', `/api/customers/orders/${orderId}/receipt`, 'customer'],
    ['who one is', '/api/auth/customer/verify', 'customer'],
    ['a worker’s assignments', '/api/workers/assignments', 'worker'],
    ['payments', '/api/admin/payments', 'admin'],
    ['emails', '/api/admin/mails', 'admin'],
    ['workers', '/api/admin/workers', 'admin'],
    ['evidence', `/api/admin/manual-payments/evidence/${evidenceFilename}`, 'admin'],
  ])('%s', async (_what, path, role = undefined) => {
    expectPersonal(path, await look(path, {}, role));
  });

  test('a session', async () => {
    const body = JSON.stringify({ email: emailOf('customer', 'owner'), password: PASSWORD });
    expectPersonal(LOGIN, await look(LOGIN, json(body)));
  });
});

function expectPersonal(path: string, response: Response): void {
  expectProtected(path, response);
  expect(response.status).toBe(200);
  const kept = response.headers.get('cache-control');
  expect(kept).toMatch(/no-store|private/);
  expect(kept).not.toMatch(/public/);
}
