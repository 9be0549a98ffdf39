import { gatewayConfig } from '@arboleda/gateway/config.ts';
import { describe, expect, test } from '@jest/globals';
import { freeServiceUrls, localEnvironment, serviceEnvironment } from './environment.ts';
import { newSecrets } from './secrets.ts';

const serviceUrls = await freeServiceUrls();
const sandbox = { apiUrl: 'http://127.0.0.1:4242', scriptUrl: 'http://127.0.0.1:4242/endive/stripe.js' };
const secrets = newSecrets();
const environment = (env = {}, withSandbox = true) =>
  localEnvironment(env, secrets, {
    siteUrl: 'http://localhost:8080',
    host: '127.0.0.1',
    port: 8080,
    serviceUrls,
    databaseUrl: 'postgres://here',
    smtpUrl: 'smtp://127.0.0.1:2525',
    objectsDir: '/data/objects',
    ...(withSandbox && { sandbox }),
  });

describe('the environment of a copy', () => {
  test('pays at the sandbox until a real key is there', () => {
    expect(environment()).toMatchObject({
      STRIPE_SECRET_KEY: secrets.stripeSecretKey,
      STRIPE_API_URL: sandbox.apiUrl,
    });
    const real = environment({ STRIPE_SECRET_KEY: 'sk_live_1' }, false);
    expect(real.STRIPE_SECRET_KEY).toBe('sk_live_1');
    expect(real).not.toHaveProperty('STRIPE_API_URL');
  });

  test('follows the person where nothing speaks against it', () => {
    expect(environment({ STATS_BASELINE_TREES: '7', BANK_NAME: 'Bancolombia' })).toMatchObject({
      STATS_BASELINE_TREES: '7',
      BANK_NAME: 'Bancolombia',
      BANK_ACCOUNT_NUMBER: expect.stringContaining('DEMO'),
    });
    expect(environment({ BANK_NAME: '' }).BANK_NAME).toBe('Banco de Demostración');
  });

  test('gives each service the port that the others call it by', () => {
    const env = environment({ HOST: '0.0.0.0' });
    expect(env.HOST).toBe('127.0.0.1');
    const orders = serviceEnvironment(env, 'orders');
    expect(`http://127.0.0.1:${orders.PORT}`).toBe(env.ORDERS_URL);
    expect(new Set(Object.values(serviceUrls)).size).toBe(7);
  });

  test('is enough for the gateway', () => {
    expect(gatewayConfig(environment())).toMatchObject({ port: 8080, stripe: { apiUrl: sandbox.apiUrl } });
  });
});
