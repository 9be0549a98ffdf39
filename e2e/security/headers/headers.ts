import type { Target } from '../frame/target.ts';
import type { Report, Topic } from '../frame/topic.ts';
import { openEcho } from '../gateway/echo.ts';

interface Asked {
  what: string;
  path: string;
  init?: RequestInit;
  /** Personal data, which no cache may keep. */
  isPersonal?: boolean;
}

/** Every kind of answer has security headers and reveals no internals. */
export const headers: Topic = {
  name: 'headers',
  async run(target, report) {
    for (const asked of await kinds(target)) await protects(report, target.filled.product.url, asked, false);
    const overHttps = await openEcho();
    try {
      for (const path of ['/', '/api/stats', '/api/nothing', '/api/docs', '/sw.js', '/assets/gone.js']) {
        await protects(report, overHttps.gateway.url, { what: `${path} of a site on https`, path }, true);
      }
    } finally {
      await overHttps.close();
    }
  },
};

async function kinds({ filled: { product, objects }, tokens }: Target): Promise<Asked[]> {
  const page = await (await fetch(product.url)).text();
  const assets = [
    ...new Set(
      [...page.matchAll(/(?:src|href)="(\/[\w./-]+\.(?:js|css|woff2|svg|webmanifest|png))"/g)].map(
        ([, path]) => path!,
      ),
    ),
  ].slice(0, 6);
  const as = (role: keyof typeof tokens, init: RequestInit = {}): RequestInit => ({
    ...init,
    headers: { Authorization: `Bearer ${tokens[role]}` },
  });
  const personal = (what: string, path: string, role: keyof typeof tokens): Asked => ({
    what,
    path,
    init: as(role),
    isPersonal: true,
  });
  const json = (body: string): RequestInit => ({
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  });
  return [
    ...[
      '/',
      '/plant-trees',
      `/orders/${objects.orderToken}`,
      '/customer-portal',
      '/nowhere',
      '/api/docs',
    ].map((path) => ({ what: `the page ${path}`, path })),
    ...assets.map((path) => ({ what: `the file ${path}`, path })),
    { what: 'the service worker', path: '/sw.js' },
    { what: 'a file that is not there', path: '/assets/gone-1a2b.js' },
    { what: 'the description of the API', path: '/api/openapi.json' },
    { what: 'JSON for everybody', path: '/api/stats' },
    { what: 'health', path: '/readyz' },
    { what: 'a photo', path: `/api/photos/${objects.photoFilename}` },
    {
      what: 'a part of a photo',
      path: `/api/photos/${objects.photoFilename}`,
      init: { headers: { Range: 'bytes=0-9' } },
    },
    { what: 'only the head', path: '/api/stats', init: { method: 'HEAD' } },
    { what: '404', path: '/api/nothing' },
    { what: '401', path: '/api/customers/orders' },
    { what: '403', path: '/api/admin/payments', init: as('customer') },
    { what: '405', path: '/api/stats', init: { method: 'DELETE' } },
    { what: '400', path: '/api/auth/customer/login', init: json('{') },
    { what: '413', path: '/api/auth/customer/login', init: json('x'.repeat(200_000)) },
    { what: '415', path: '/api/auth/customer/login', init: { method: 'POST', body: 'x' } },
    { what: '422', path: '/api/auth/customer/login', init: json('{}') },
    { what: 'a malformed path', path: '/api/%00' },
    { what: 'a preflight', path: '/api/stats', init: { method: 'OPTIONS' } },
    { what: 'an order by its link', path: `/api/track/${objects.orderToken}`, isPersonal: true },
    personal('a customer’s orders', '/api/customers/orders', 'customer'),
    personal('a customer’s export', '/api/customers/orders/export', 'customer'),
    personal('a receipt', `/api/customers/orders/${objects.orderId}/receipt`, 'customer'),
    personal('who one is', '/api/auth/customer/verify', 'customer'),
    personal('a worker’s assignments', '/api/workers/assignments', 'worker'),
    personal('the payments', '/api/admin/payments', 'admin'),
    personal('the mails', '/api/admin/mails', 'admin'),
    personal('the workers', '/api/admin/workers', 'admin'),
    personal('a proof', `/api/admin/manual-payments/evidence/${objects.evidenceFilename}`, 'admin'),
    {
      what: 'a session',
      path: '/api/auth/customer/login',
      init: json(JSON.stringify({ email: 'owner-customer@api.test', password: 'guadua-cedro-7310' })),
      isPersonal: true,
    },
  ];
}

async function protects(
  { check }: Report,
  url: string,
  { what, path, init, isPersonal }: Asked,
  isHttps: boolean,
) {
  const { headers: has, status, body } = await fetch(url + path, { redirect: 'manual', ...init });
  await body?.cancel();
  const value = (name: string) => has.get(name) ?? '';
  const policy = value('content-security-policy');
  check(
    `${what}: a policy without unsafe words`,
    policy !== '' && !/unsafe|\*(?!\.)|data: *;|https?: /.test(policy.replace(/img-src[^;]*/, '')),
    policy,
  );
  for (const part of ["frame-ancestors 'none'", "base-uri 'none'"])
    check(`${what}: ${part}`, policy.includes(part), policy);
  check(`${what}: no objects`, /object-src 'none'|default-src 'none'/.test(policy), policy);
  check(`${what}: nosniff`, value('x-content-type-options') === 'nosniff');
  check(`${what}: no referrer`, value('referrer-policy') === 'no-referrer');
  check(`${what}: COOP`, value('cross-origin-opener-policy') === 'same-origin');
  // Mail programs show photos.
  const embeddedBy = path.startsWith('/api/photos/') ? 'cross-origin' : 'same-origin';
  check(`${what}: CORP`, value('cross-origin-resource-policy') === embeddedBy || path.endsWith('.woff2'));
  check(`${what}: no frames`, value('x-frame-options') === 'DENY');
  check(`${what}: permissions`, /microphone=\(\)/.test(value('permissions-policy')));
  check(`${what}: tells no software`, !has.has('server') && !has.has('x-powered-by') && !has.has('via'));
  check(
    `${what}: HSTS where there is https`,
    isHttps === value('strict-transport-security').startsWith('max-age=63072000'),
  );
  check(`${what}: sets no cookie`, has.getSetCookie().length === 0, has.getSetCookie());
  if (!isPersonal) return;
  check(`${what}: is answered`, status === 200, status);
  check(
    `${what}: is kept by nobody else`,
    /no-store|private/.test(value('cache-control')) && !/public/.test(value('cache-control')),
    value('cache-control'),
  );
}
