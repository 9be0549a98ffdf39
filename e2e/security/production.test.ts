import type { Environment } from '@arboleda/chassis/environment.ts';
import { newServiceKeys, publicKeysOf } from '@arboleda/chassis/http/service-token.ts';
import { newKey, publicHalfOf } from '@arboleda/chassis/keys.ts';
import { BANK_IDS } from '@arboleda/contracts/payment-method.ts';
import { STARTABLE } from '@arboleda/cli/embedded/services.ts';
import { type ServiceName, SERVICES, urlVariable } from '@arboleda/contracts/services.ts';
import { gatewayConfig } from '@arboleda/gateway/config.ts';
import { describe, expect, test } from '@jest/globals';
import { generateKeyPairSync, randomBytes } from 'node:crypto';

type ProcessName = ServiceName | 'gateway';

const readConfig = (process: ProcessName, env: Environment): unknown =>
  process === 'gateway' ? gatewayConfig(env) : STARTABLE[process].readConfig(env);
const ALL: readonly ProcessName[] = ['gateway', ...SERVICES];

const SERVICE_KEYS = newServiceKeys();
const random = () => randomBytes(48).toString('base64');

const MAIL_TOKEN_KEY = newKey('x25519');

/** An environment with which every process may start in production. */
const soundEnvironment = (process: ProcessName): Environment => ({
  ...(process !== 'gateway' && { SERVICE_KEY: SERVICE_KEYS[process] }),
  NODE_ENV: 'production',
  SITE_URL: 'https://trees.example',
  SERVICE_PUBLIC_KEYS: publicKeysOf(SERVICE_KEYS),
  QUOTE_SECRET: random(),
  ORDER_TOKEN_SECRET: random(),
  CERTIFICATE_KEY: newKey('ed25519'),
  AUTH_SECOND_FACTOR_KEY: random(),
  MAIL_BOUNCE_SECRET: random(),
  MAIL_TOKEN_PRIVATE_KEY: MAIL_TOKEN_KEY,
  MAIL_TOKEN_PUBLIC_KEY: publicHalfOf(MAIL_TOKEN_KEY),
  AUTH_SIGNING_KEY: generateKeyPairSync('ed25519')
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString(),
  DATABASE_URL: `postgres://orders:${randomBytes(18).toString('base64url')}@db.internal:5432/orders`,
  RATE_LIMIT_DATABASE_URL: `postgres://gateway:${randomBytes(18).toString('base64url')}@db.internal:5432/gateway`,
  MONGODB_URL: `mongodb://media:${randomBytes(18).toString('base64url')}@mongo.internal:27017/`,
  KAFKA_BROKERS: 'kafka.internal:9093',
  KAFKA_SASL_MECHANISM: 'scram-sha-512',
  KAFKA_USERNAME: 'arboleda',
  KAFKA_PASSWORD: random(),
  S3_ENDPOINT: 'https://objects.internal',
  S3_ACCESS_KEY: 'media',
  S3_SECRET_KEY: random(),
  SMTP_URL: `smtp://mailer:${randomBytes(18).toString('base64url')}@smtp.internal:587`,
  MAIL_FROM: 'Arboleda <hola@trees.example>',
  ORGANISATION_TAX_ID: 'NIT 901.442.118-3',
  ORGANISATION_EMAIL: 'hola@fundacionarboles.org',
  ...Object.fromEntries(SERVICES.map((name) => [urlVariable(name), `http://${name}.internal:8080`])),
  TRUSTED_PROXIES: '10.244.0.0/16',
  STRIPE_SECRET_KEY: `sk_live_${randomBytes(12).toString('hex')}`,
  STRIPE_PUBLISHABLE_KEY: `pk_live_${randomBytes(12).toString('hex')}`,
  STRIPE_WEBHOOK_SECRET: `whsec_${randomBytes(12).toString('hex')}`,
  BANK_ACCOUNTS: accounts('412-889931-07', 'Fundación Árboles'),
});

const accounts = (number: string, holder: string): string =>
  BANK_IDS.map((bank) => `${bank}|Ahorros|${number}|${holder}|901.442.118-3`).join(';');

const GUESSABLE: readonly (readonly [string, string])[] = [
  ['short', 'dK7-qz2'],
  ['of one letter', 'x'.repeat(64)],
  ['that repeats', 'abc123'.repeat(10)],
  ['from an example', 'change-me-to-something-long-and-random'],
  ['that was typed', 'our trees grow well in the valley, 2026'],
];
const TRIED_FIRST = ['CHANGE', 'postgres', 'password', 'admin', 'minioadmin'];

const SERVICES_ONLY: readonly ProcessName[] = SERVICES;

/** One weak setting, and which processes read it: they must not start, and say the variable's name. */
interface Weak {
  name: string;
  how: string;
  value: string | undefined;
  of: readonly ProcessName[];
}

const secretOf = (name: string, of: readonly ProcessName[], optional = false): Weak[] => [
  ...(optional
    ? []
    : [
        { name, how: 'absent', value: undefined, of },
        { name, how: 'empty', value: '', of },
      ]),
  ...GUESSABLE.map(([how, value]) => ({ name, how, value, of })),
];
const addressOf = (name: string, of: readonly ProcessName[], address: (password: string) => string): Weak[] =>
  TRIED_FIRST.map((password) => ({ name, how: `with ${password}`, value: address(password), of }));
const oneOf = (
  name: string,
  of: readonly ProcessName[],
  values: Record<string, string | undefined>,
): Weak[] => Object.entries(values).map(([how, value]) => ({ name, how, value, of }));

const WEAK: readonly Weak[] = [
  ...oneOf('SERVICE_KEY', SERVICES_ONLY, {
    absent: undefined,
    empty: '',
    'not one': 'secret',
    'the operator’s': SERVICE_KEYS.operator,
    'of another kind': MAIL_TOKEN_KEY,
  }),
  ...oneOf('SERVICE_PUBLIC_KEYS', SERVICES_ONLY, {
    absent: undefined,
    'not one': 'secret',
    'with a private key': `auth=${SERVICE_KEYS.auth}`,
    'of two with one key': `${publicKeysOf(SERVICE_KEYS)},auth=${publicHalfOf(SERVICE_KEYS.orders)}`,
  }),
  ...secretOf('QUOTE_SECRET', ['pricing', 'payments']),
  ...secretOf('ORDER_TOKEN_SECRET', ['payments', 'orders', 'notifications']),
  ...oneOf('CERTIFICATE_KEY', ['orders'], {
    absent: undefined,
    empty: '',
    'not one': 'secret',
    'the public half': publicHalfOf(newKey('ed25519')),
    'of another kind': MAIL_TOKEN_KEY,
    'the service’s': SERVICE_KEYS.orders,
  }),
  ...oneOf('CERTIFICATE_FORMER_KEYS', ['orders'], { 'with a private key': newKey('ed25519') }),
  ...secretOf('AUTH_SECOND_FACTOR_KEY', ['auth']),
  ...secretOf('MAIL_BOUNCE_SECRET', ['notifications'], true),
  ...addressOf('DATABASE_URL', SERVICES_ONLY, (password) => `postgres://orders:${password}@db:5432/orders`),
  ...addressOf(
    'RATE_LIMIT_DATABASE_URL',
    ['gateway'],
    (password) => `postgres://gateway:${password}@db/gateway`,
  ),
  ...addressOf('MONGODB_URL', SERVICES_ONLY, (password) => `mongodb://media:${password}@mongo:27017/`),
  ...addressOf('SMTP_URL', ['notifications'], (password) => `smtp://mailer:${password}@smtp:587`),
  ...TRIED_FIRST.flatMap((value) => [
    { name: 'S3_SECRET_KEY', how: value, value, of: SERVICES_ONLY },
    { name: 'KAFKA_PASSWORD', how: value, value, of: SERVICES_ONLY },
  ]),
  ...oneOf('SITE_URL', ALL, { 'by http': 'http://trees.example' }),
  ...oneOf('SITE_URL', ['gateway', 'orders', 'notifications'], { absent: undefined }),
  ...oneOf('STRIPE_API_URL', ['gateway', 'payments'], {
    'the sandbox': 'http://stripe-sandbox:12111',
    'a look-alike': 'https://api.stripe.com.evil.example',
  }),
  ...oneOf('STRIPE_SCRIPT_URL', ['gateway', 'payments'], {
    'the sandbox': 'http://localhost:12111/stripe.js',
  }),
  ...oneOf('STRIPE_SECRET_KEY', ['payments'], { absent: undefined, 'not one': 'secret' }),
  ...oneOf('STRIPE_PUBLISHABLE_KEY', ['payments'], { 'for tests': 'pk_test_1' }),
  ...oneOf('STRIPE_WEBHOOK_SECRET', ['payments'], { absent: undefined, 'not one': 'secret' }),
  ...oneOf('BANK_ACCOUNTS', ['payments'], {
    'with the demonstration’s number': accounts('000-000000-00 (DEMO)', 'Fundación Árboles'),
    'with the demonstration’s holder': accounts('412-889931-07', 'Fundación Arboleda (ficticia / fictional)'),
    absent: undefined,
  }),
  ...oneOf('SMTP_URL', ['notifications'], {
    absent: undefined,
    'an inbox': 'smtp://maildev:1025',
    'our inbox': 'smtp://127.0.0.1:43211',
  }),
  ...oneOf('MAIL_FROM', ['notifications'], {
    absent: undefined,
    'the demonstration’s': 'Arboleda <hola@arboleda.test>',
  }),
  ...oneOf('ORGANISATION_TAX_ID', ['orders', 'notifications'], {
    absent: undefined,
    'the example’s': 'NIT 900.000.000-0',
  }),
  ...oneOf('ORGANISATION_EMAIL', ['orders', 'notifications'], {
    absent: undefined,
    'the example’s': 'hola@arboleda.example',
  }),
  ...oneOf('RATE_LIMIT_SCALE', ['gateway', 'payments'], { off: '0', 'as good as off': '1000' }),
  ...oneOf('WEB_DEV_URL', ['gateway'], { set: 'http://localhost:5173' }),
  ...oneOf('TRUSTED_PROXIES', ['gateway'], { everybody: '0.0.0.0/0', 'everybody by IPv6': '::/0' }),
  ...oneOf('AUTH_PASSWORD_MEMORY_KIB', ['auth'], { cheap: '64' }),
  ...oneOf('AUTH_PASSWORD_PASSES', ['auth'], { cheap: '1' }),
  ...oneOf('AUTH_SIGNING_KEY', ['auth'], { 'not one': 'secret' }),
  ...oneOf('MAIL_TOKEN_PUBLIC_KEY', ['auth'], {
    absent: undefined,
    'not one': 'secret',
    'the private half': MAIL_TOKEN_KEY,
  }),
  ...oneOf('MAIL_TOKEN_PRIVATE_KEY', ['notifications'], { absent: undefined, 'not one': 'secret' }),
];

/** The message of a process that refuses to start. */
function refusalOf(process: ProcessName, env: Environment): string | undefined {
  try {
    readConfig(process, env);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

const SOUND = Object.fromEntries(ALL.map((name) => [name, soundEnvironment(name)])) as Record<
  ProcessName,
  Environment
>;

test.each(ALL)('%s starts in production with sound settings', (name) => {
  expect(refusalOf(name, SOUND[name])).toBeUndefined();
});

describe('no process starts in production with', () => {
  test.each(WEAK)('$name $how, and none prints it', ({ name, value, of }) => {
    for (const process of of) {
      const refusal = refusalOf(process, { ...SOUND[process], [name]: value }) ?? '';
      expect([process, refusal]).toEqual([process, expect.stringMatching(new RegExp(`^${name}: `, 'm'))]);
      // A word such as "password" stands in sentences too.
      if (value !== undefined && value.length > 12) expect(refusal).not.toContain(value);
    }
  });

  test('one secret for two purposes', () => {
    const same = { ...SOUND.auth, AUTH_SECOND_FACTOR_KEY: SOUND.auth.QUOTE_SECRET };
    expect(refusalOf('auth', same)).toMatch(/AUTH_SECOND_FACTOR_KEY/);
  });
});
