import { describe, expect, test } from '@jest/globals';
import { contentSecurityPolicy, securityHeaders } from './headers.ts';

const directives = (policy: string) =>
  Object.fromEntries(
    policy.split('; ').map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1)]),
  );
const stripe = { scriptUrl: 'https://js.stripe.com/basil/stripe.js', apiUrl: 'https://api.stripe.com' };
const web = { distDir: '/nowhere' };

describe('the content security policy', () => {
  test('lets Stripe in, and nothing else', () => {
    const policy = directives(contentSecurityPolicy({ stripe, web }));
    expect(policy['script-src']).toEqual(["'self'", 'https://js.stripe.com', 'https://*.js.stripe.com']);
    expect(policy['connect-src']).toEqual(["'self'", 'https://api.stripe.com']);
    expect(policy['frame-src']).toContain('https://hooks.stripe.com');
    expect(policy['style-src']).toEqual(["'self'"]);
    // The payment provider's scripts are none of those that go on when the page is closed.
    expect(policy['worker-src']).toEqual(["'self'"]);
    expect(policy['object-src']).toEqual(["'none'"]);
  });

  test('lets the server in that takes Stripe’s place, and Stripe no more', () => {
    const local = { scriptUrl: 'http://localhost:4242/v3/', apiUrl: 'http://localhost:4243' };
    const text = contentSecurityPolicy({ stripe: local, web });
    expect(directives(text)['connect-src']).toEqual([
      "'self'",
      'http://localhost:4242',
      'http://localhost:4243',
    ]);
    expect(text).not.toContain('stripe.com');
  });

  test('is loose for Vite’s development server only', () => {
    expect(contentSecurityPolicy({ stripe, web })).not.toContain('unsafe');
    const policy = directives(contentSecurityPolicy({ stripe, web: { devUrl: 'http://localhost:5173' } }));
    expect(policy['script-src']).toContain("'unsafe-inline'");
  });
});

test('https is insisted on where the site has it', () => {
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
