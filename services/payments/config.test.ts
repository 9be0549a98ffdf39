import { ConfigError } from '@arboleda/chassis/config.ts';
import { describe, expect, test } from '@jest/globals';
import { paymentsConfig } from './config.ts';

const env = {
  SERVICE_SECRET: 's'.repeat(32),
  QUOTE_SECRET: 'q'.repeat(32),
  DATABASE_URL: 'postgres://localhost/arboleda',
  AUTH_URL: 'http://localhost:1',
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  BANK_NAME: 'Banco Ficticio',
  BANK_ACCOUNT_TYPE: 'Ahorros',
  BANK_ACCOUNT_NUMBER: '000-000000-00',
  BANK_ACCOUNT_HOLDER: 'Arboleda Demo',
  BANK_ACCOUNT_TAX_ID: '000.000.000-0',
};

test('speaks to Stripe itself unless told otherwise', () => {
  expect(paymentsConfig(env).stripe).toEqual({
    secretKey: 'sk_test_1',
    publishableKey: 'pk_test_1',
    webhookSecrets: ['whsec_1'],
    apiUrl: 'https://api.stripe.com',
    scriptUrl: 'https://js.stripe.com/basil/stripe.js',
  });
});

test('takes two webhook secrets while one is being changed for the other', () => {
  const { stripe } = paymentsConfig({ ...env, STRIPE_WEBHOOK_SECRET: 'whsec_new, whsec_old' });
  expect(stripe.webhookSecrets).toEqual(['whsec_new', 'whsec_old']);
});

test('sells the photo packages that have a price, none without', () => {
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

describe('the start is stopped by', () => {
  test.each([
    ['STRIPE_SECRET_KEY', 'pk_test_1'],
    ['STRIPE_SECRET_KEY', undefined],
    ['STRIPE_PUBLISHABLE_KEY', 'sk_test_1'],
    ['STRIPE_WEBHOOK_SECRET', 'whsec_'],
    ['STRIPE_WEBHOOK_SECRET', 'whsec_1,'],
    ['STRIPE_API_URL', 'api.stripe.com'],
    ['QUOTE_SECRET', 'short'],
    ['BANK_ACCOUNT_NUMBER', ''],
    ['RECONCILE_INTERVAL_SECONDS', '0'],
    ['RECONCILE_LISTS_INTERVAL_SECONDS', 'often'],
    ['STRIPE_PRICE_LIFETIME', 'a price'],
  ])('%s = %j', (name, value) => {
    const start = () => paymentsConfig({ ...env, [name]: value });
    expect(start).toThrow(ConfigError);
    expect(start).toThrow(name);
  });
});
