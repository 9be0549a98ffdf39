import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { completeFile, freshValues } from './env-file.ts';

const compose = readFileSync(join(import.meta.dirname, '..', '..', 'docker-compose.yml'), 'utf8');

test('everything that docker compose demands is written', () => {
  const demanded = [...compose.matchAll(/\$\{([A-Z_0-9]+):\?run "npm run env" first/g)].map(
    ([, name]) => name,
  );
  expect(demanded.length).toBeGreaterThan(15);
  expect(Object.keys(parseEnv(completeFile('', {}).text))).toEqual(expect.arrayContaining(demanded));
});

test('secrets are long, fit in addresses, and are others each time', () => {
  const [one, other] = [freshValues(), freshValues()];
  for (const name of Object.keys(one).filter((key) => key.endsWith('_PASSWORD') && key !== 'DEMO_PASSWORD')) {
    expect(one[name]).toMatch(/^[\w-]{32,}$/);
    expect(other[name]).not.toBe(one[name]);
  }
});

test('a second run changes nothing', () => {
  const first = completeFile('# mine\nPORT=9000\n', {});
  const second = completeFile(first.text, {});
  expect(second).toEqual({ text: first.text, added: [], usesSandbox: true });
});

test('what somebody set stays, also without an end of line', () => {
  const { text, added } = completeFile('BANK_NAME="Banco de Verdad"\nSERVICE_SECRET=chosen', {});
  expect(parseEnv(text)).toMatchObject({ BANK_NAME: 'Banco de Verdad', SERVICE_SECRET: 'chosen' });
  expect(added).not.toContain('BANK_NAME');
  expect(text.match(/SERVICE_SECRET=/g)).toHaveLength(1);
});

test('the environment counts as set', () => {
  expect(completeFile('', { QUOTE_SECRET: 'from outside' }).added).not.toContain('QUOTE_SECRET');
});

test('an empty setting is filled', () => {
  const values = { ...freshValues(), DEMO_PASSWORD: 'ceiba-roble-1234-hoja' };
  expect(parseEnv(completeFile('DEMO_PASSWORD=\n', {}, values).text).DEMO_PASSWORD).toBe(
    'ceiba-roble-1234-hoja',
  );
});

test('without a key of Stripe the sandbox runs, and npm start still brings its own', () => {
  const settings = parseEnv(completeFile('', {}).text);
  expect(settings.STRIPE_SANDBOX_REPLICAS).toBe('1');
  for (const name of ['STRIPE_SECRET_KEY', 'STRIPE_API_URL', 'DATABASE_URL', 'SMTP_URL', 'SITE_URL']) {
    expect(settings).not.toHaveProperty(name);
  }
});

test('with a key of Stripe, also one that came later, cards are paid there', () => {
  const before = completeFile('', {}).text;
  for (const after of [
    completeFile(`${before}STRIPE_SECRET_KEY=sk_live_x\n`, {}),
    completeFile(before, { STRIPE_SECRET_KEY: 'sk_live_x' }),
  ]) {
    expect(after.usesSandbox).toBe(false);
    expect(parseEnv(after.text)).toMatchObject({
      STRIPE_SANDBOX_REPLICAS: '0',
      STRIPE_API_URL: 'https://api.stripe.com',
    });
    expect(after.text).not.toContain('STRIPE_PRICE_');
  }
});

test('when the key is taken away the sandbox takes over again', () => {
  const withKey = completeFile('STRIPE_SECRET_KEY=sk_live_x\n', {}).text;
  const after = completeFile(withKey.replace('STRIPE_SECRET_KEY=sk_live_x\n', ''), {});
  expect(after.usesSandbox).toBe(true);
  expect(parseEnv(after.text)).not.toHaveProperty('STRIPE_API_URL');
});

test('another server that speaks Stripe’s API stays where somebody put it', () => {
  const { text } = completeFile('STRIPE_SECRET_KEY=sk_test_x\nSTRIPE_API_URL=https://stripe.example\n', {});
  expect(parseEnv(text).STRIPE_API_URL).toBe('https://stripe.example');
});

test('the sandbox’s prices come with the sandbox; prices of one’s own stay', () => {
  const { text } = completeFile('STRIPE_PRICE_LIFETIME=price_mine\n', {});
  expect(parseEnv(text)).toMatchObject({
    STRIPE_PRICE_FIRST_YEAR: 'price_first_year',
    STRIPE_PRICE_LIFETIME: 'price_mine',
  });
  const settings = parseEnv(completeFile(`${text}STRIPE_SECRET_KEY=sk_live_x\n`, {}).text);
  expect(settings.STRIPE_PRICE_LIFETIME).toBe('price_mine');
  expect(settings).not.toHaveProperty('STRIPE_PRICE_FIRST_YEAR');
});
