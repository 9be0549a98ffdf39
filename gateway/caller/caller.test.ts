import { describe, expect, test } from '@jest/globals';
import { contentSecurityPolicy, isMailPicture, securityHeaders } from '../headers.ts';
import { clientAddress, parseTrustedProxies } from './address.ts';
import { answerHeaders, upstreamHeaders } from './headers.ts';
import { acceptedLanguage, askedLanguage, chooseLanguage } from './language.ts';

const trusted = parseTrustedProxies('10.0.0.0/8, 192.168.1.7, 2001:db8::/32');

describe('the address of a caller', () => {
  test.each([
    ['an untrusted peer counts itself', '203.0.113.9', '1.2.3.4', '203.0.113.9'],
    ['our proxy speaks for its caller', '10.1.1.1', '1.2.3.4', '1.2.3.4'],
    ['only the last untrusted hop counts', '10.1.1.1', '6.6.6.6, 1.2.3.4, 10.9.9.9', '1.2.3.4'],
    ['IPv4 written as IPv6 is the same', '::ffff:10.1.1.1', '::ffff:1.2.3.4', '1.2.3.4'],
    ['an IPv6 proxy counts too', '2001:db8::5', '2001:db9::1', '2001:db9::1'],
    ['nonsense is not followed', '10.1.1.1', 'unknown', '10.1.1.1'],
    ['a proxy without a word is the caller', '10.1.1.1', undefined, '10.1.1.1'],
  ])('%s', (_case, peer, forwardedFor, address) => {
    expect(clientAddress(peer, forwardedFor, trusted)).toBe(address);
  });
});

test.each(['10.0.0.0/33', '10.0.0.0/x', 'localhost', '2001:db8::/129'])(
  '%s is refused as a proxy',
  (entry) => {
    expect(() => parseTrustedProxies(entry)).toThrow(entry);
  },
);

const FACTS = { correlationId: 'c1', address: '203.0.113.9', countryHeader: undefined };

test('a service gets the gateway’s facts about a caller, not the caller’s claims', () => {
  const claimed = { 'x-forwarded-for': '6.6.6.6', 'x-correlation-id': 'mine', cookie: 'a=b', accept: 'x' };
  expect(upstreamHeaders(claimed, FACTS)).toEqual({
    accept: 'x',
    'x-correlation-id': 'c1',
    'x-forwarded-for': '203.0.113.9',
  });
});

describe('a caller gets of an answer’s headers', () => {
  test('those of the service, repeated ones included', () => {
    expect(answerHeaders(200, { etag: '"1"', 'set-cookie': ['a=1', 'b=2'], 'content-length': '2' })).toEqual([
      'etag',
      '"1"',
      'set-cookie',
      'a=1',
      'set-cookie',
      'b=2',
      'content-length',
      '2',
    ]);
  });

  test('none of the internal hop, and none that the gateway sets', () => {
    const inner = {
      connection: 'close',
      'keep-alive': 'timeout=5',
      'transfer-encoding': 'chunked',
      trailer: 'x-sum',
      server: 'orders-3',
      'x-powered-by': 'Express',
      'x-correlation-id': 'theirs',
      'ratelimit-limit': '9',
      'x-frame-options': 'ALLOW',
      'access-control-allow-origin': '*',
    };
    expect(answerHeaders(200, inner)).toEqual([]);
  });

  test('no length without content', () => {
    expect(answerHeaders(204, { 'content-length': '0' })).toEqual([]);
  });
});

test.each([
  [undefined, 'en'],
  ['', 'en'],
  ['es', 'es'],
  ['ES-co', 'es'],
  ['fr-FR, de', 'en'],
  ['fr, es;q=0.3', 'es'],
  ['en;q=0.2, es;q=0.9', 'es'],
  ['es;q=0, en;q=0.1', 'en'],
  ['es;q=nonsense', 'en'],
  ['est', 'en'],
])('Accept-Language %j reads as %s', (header, language) => {
  expect(acceptedLanguage(header)).toBe(language);
});

test('the visitor’s own choice takes precedence over the browser’s', () => {
  expect(chooseLanguage('x=1; arboleda.language=es', 'en')).toBe('es');
  expect(chooseLanguage('arboleda.language=fr', 'es')).toBe('es');
  expect(chooseLanguage('my-arboleda.language=es', 'en')).toBe('en');
});

test.each([
  ['/?lang=es', 'es'],
  ['/plant-trees?ref=mail&lang=en', 'en'],
  ['/?lang=fr', undefined],
  ['/?slang=es', undefined],
  ['/lang=es', undefined],
  [undefined, undefined],
])('the URL %j selects %s', (target, language) => {
  expect(askedLanguage(target)).toBe(language);
});

const directives = (policy: string) =>
  Object.fromEntries(
    policy.split('; ').map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1)]),
  );

const stripe = { scriptUrl: 'https://js.stripe.com/endive/stripe.js', apiUrl: 'https://api.stripe.com' };

const web = { distDir: '/nowhere' };

describe('the content security policy', () => {
  test('allows Stripe, and nothing else', () => {
    const policy = directives(contentSecurityPolicy({ stripe, web }));
    expect(policy['script-src']).toEqual([
      "'self'",
      "'inline-speculation-rules'",
      'https://js.stripe.com',
      'https://*.js.stripe.com',
    ]);
    expect(policy['connect-src']).toEqual(["'self'", 'https://api.stripe.com']);
    expect(policy['frame-src']).toContain('https://hooks.stripe.com');
    expect(policy['style-src']).toEqual(["'self'"]);
    // Stripe's scripts may not run as workers.
    expect(policy['worker-src']).toEqual(["'self'"]);
    expect(policy['object-src']).toEqual(["'none'"]);
  });

  test('allows the configured sandbox instead of Stripe', () => {
    const local = { scriptUrl: 'http://localhost:4242/v3/', apiUrl: 'http://localhost:4243' };
    const text = contentSecurityPolicy({ stripe: local, web });
    expect(directives(text)['connect-src']).toEqual([
      "'self'",
      'http://localhost:4242',
      'http://localhost:4243',
    ]);
    expect(text).not.toContain('stripe.com');
  });

  test('is relaxed for Vite’s development server only', () => {
    expect(contentSecurityPolicy({ stripe, web })).not.toContain('unsafe');
    const policy = directives(contentSecurityPolicy({ stripe, web: { devUrl: 'http://localhost:5173' } }));
    expect(policy['script-src']).toContain("'unsafe-inline'");
  });
});

test('HSTS is sent for https sites', () => {
  const names = (siteUrl: string) => securityHeaders({ stripe, web, siteUrl }).map(([name]) => name);
  expect(names('https://arboleda.example')).toContain('Strict-Transport-Security');
  expect(names('http://localhost:8080')).not.toContain('Strict-Transport-Security');
});

test('the payment provider may use the payment API, by exact origins', () => {
  const policy = Object.fromEntries(securityHeaders({ stripe, web, siteUrl: 'http://a' }))[
    'Permissions-Policy'
  ];
  expect(policy).toContain('payment=(self "https://js.stripe.com" "https://hooks.stripe.com")');
});

test.each([
  ['/api/photos/AAAAAAAAAAAAAAAAAAAAAA.jpg', true],
  ['/mail/planted.jpg', true],
  ['/api/photos', false],
  ['/api/admin/photos/AAAAAAAAAAAAAAAAAAAAAA.jpg', false],
  ['/api/workers/photos/AAAAAAAAAAAAAAAAAAAAAA.jpg', false],
  ['/api/track/ab12CD34ef56GH78ij90KL', false],
  ['/mail-preferences', false],
  ['/', false],
])('only pictures in emails can be embedded elsewhere: %s', (path, isEmbedded) => {
  expect(isMailPicture(path)).toBe(isEmbedded);
});
