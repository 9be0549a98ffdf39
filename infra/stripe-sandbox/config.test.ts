import { expect, test } from '@jest/globals';
import { sandboxConfig } from './config.ts';

const env = {
  STRIPE_SANDBOX_SECRET_KEY: 'sk_test_demo',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_demo',
  STRIPE_WEBHOOK_SECRET: 'whsec_demo',
};

test('listens on this machine only, by default', () => {
  expect(sandboxConfig(env)).toMatchObject({ host: '127.0.0.1', port: 12111, webhookUrl: undefined });
});

test('refuses to start in production', () => {
  expect(() => sandboxConfig({ ...env, NODE_ENV: 'production' })).toThrow(/NODE_ENV/);
});

test.each([
  ['STRIPE_SANDBOX_PORT', '70000'],
  ['STRIPE_SANDBOX_WEBHOOK_URL', 'localhost'],
  ['STRIPE_SANDBOX_SECRET_KEY', 'sk_live_real'],
  ['STRIPE_PUBLISHABLE_KEY', ''],
  ['STRIPE_WEBHOOK_SECRET', undefined],
])('a wrong %s stops the start, by name', (name, value) => {
  expect(() => sandboxConfig({ ...env, [name]: value })).toThrow(name);
});
