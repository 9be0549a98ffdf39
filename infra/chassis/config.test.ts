import { describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { ConfigError, flag, port, readEnvironment, serviceConfig, url } from './config.ts';
import { openMetrics } from './http/metrics.ts';
import { servicePrivateKey, servicePublicKeys } from './http/service-token.ts';
import { testServiceKeyVariables } from './testing/config.ts';
import {
  isGuessable,
  isProduction,
  isPublicProduction,
  productionBecause,
  weaknesses,
} from './production.ts';
import { daysBefore, inBatches, keepRetention } from './retention.ts';

const env = {
  ...testServiceKeyVariables('orders'),
  DATABASE_URL: 'postgresql://localhost/arboleda',
  AUTH_URL: 'http://auth:3000',
};

const message = (changes: Record<string, string | undefined>): string => {
  try {
    serviceConfig({ ...env, ...changes }, 'orders');
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'no fault';
};

describe("a service's environment", () => {
  test('needs few variables and has defaults for the rest', () => {
    expect(serviceConfig(env, 'orders')).toEqual({
      drainMs: 0,
      host: '127.0.0.1',
      port: 0,
      logLevel: 'info',
      maxCallsInFlight: 256,
      jwksUrl: 'http://auth:3000/internal/jwks',
      serviceKeys: {
        own: servicePrivateKey.parse(env.SERVICE_KEY),
        known: servicePublicKeys.parse(env.SERVICE_PUBLIC_KEYS),
      },
      serviceUrls: { auth: 'http://auth:3000' },
      platform: {
        databaseUrl: env.DATABASE_URL,
        objectsDir: '.data/objects',
        smtpUrl: 'smtp://127.0.0.1:1025',
        mailFrom: 'Arboleda <hola@arboleda.test>',
      },
    });
  });

  test('treats an empty variable as unset', () => {
    expect(serviceConfig({ ...env, PORT: '', LOG_LEVEL: '' }, 'orders')).toMatchObject({
      port: 0,
      logLevel: 'info',
    });
  });

  test.each([
    ['SERVICE_KEY', undefined, 'SERVICE_KEY: must be set'],
    ['SERVICE_KEY', '', 'SERVICE_KEY: must be set'],
    ['SERVICE_KEY', 'short', 'SERVICE_KEY: must be an Ed25519 private key, as base64 of PKCS8 DER'],
    [
      'SERVICE_KEY',
      testServiceKeyVariables('media').SERVICE_KEY,
      'SERVICE_KEY: is not the private half of a key of orders in SERVICE_PUBLIC_KEYS',
    ],
    ['SERVICE_PUBLIC_KEYS', undefined, 'SERVICE_PUBLIC_KEYS: must be set'],
    ['AUTH_URL', 'auth:3000', 'AUTH_URL: must be an http or https address'],
    ['AUTH_URL', 'auth', 'AUTH_URL: must be an http or https address'],
    ['MEDIA_URL', 'ftp://media', 'MEDIA_URL: must be an http or https address'],
    ['DATABASE_URL', undefined, 'DATABASE_URL: must be set'],
    [
      'DATABASE_URL',
      'localhost:5432',
      'DATABASE_URL: must be an address like postgres://user:password@host:5432/database',
    ],
    ['KAFKA_BROKERS', 'kafka', 'KAFKA_BROKERS: must be host:port, with commas between'],
    [
      'KAFKA_SASL_MECHANISM',
      'plain',
      'KAFKA_USERNAME: must be set with KAFKA_SASL_MECHANISM\nKAFKA_PASSWORD: must be set with KAFKA_SASL_MECHANISM',
    ],
    [
      'MONGODB_URL',
      'http://mongodb',
      'MONGODB_URL: must be an address like mongodb://user:password@host:27017/?authSource=…',
    ],
    ['S3_ENDPOINT', 'minio:9000', 'S3_ENDPOINT: must be an http or https address'],
    [
      'S3_ENDPOINT',
      'http://minio:9000',
      'S3_ACCESS_KEY: must be set with S3_ENDPOINT\nS3_SECRET_KEY: must be set with S3_ENDPOINT',
    ],
    ['SMTP_URL', 'mail.example.org', 'SMTP_URL: must be an address like smtp://user:password@host:587'],
  ])('with %s = %j stops the start with a sentence', (name, value, expected) => {
    expect(message({ [name]: value })).toBe(expected);
  });

  test.each([
    ['PORT', '70000'],
    ['PORT', 'http'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['LOG_LEVEL', 'loud'],
  ])('with %s = %j stops the start with the variable’s name', (name, value) => {
    expect(message({ [name]: value })).toMatch(new RegExp(`^${name}: `));
  });

  test('names the engines that replace PostgreSQL', () => {
    const { platform } = serviceConfig(
      {
        ...env,
        DATABASE_URL: '',
        KAFKA_BROKERS: 'kafka-1:9092, kafka-2:9092',
        KAFKA_SSL: 'true',
        KAFKA_SASL_MECHANISM: 'scram-sha-512',
        KAFKA_USERNAME: 'orders',
        KAFKA_PASSWORD: 'secret',
        MONGODB_URL: 'mongodb://orders:secret@mongodb:27017/?authSource=orders',
        S3_ENDPOINT: 'http://minio:9000',
        S3_ACCESS_KEY: 'key',
        S3_SECRET_KEY: 'secret',
      },
      'orders',
    );
    expect(platform).toMatchObject({
      databaseUrl: undefined,
      kafka: {
        brokers: ['kafka-1:9092', 'kafka-2:9092'],
        ssl: true,
        sasl: { mechanism: 'scram-sha-512', username: 'orders', password: 'secret' },
        partitions: 12,
      },
      mongodbUrl: 'mongodb://orders:secret@mongodb:27017/?authSource=orders',
      s3: { endpoint: 'http://minio:9000', accessKey: 'key', region: 'us-east-1', bucketPrefix: 'arboleda-' },
    });
  });

  test('names every fault at once, and never a secret', () => {
    const text = message({ SERVICE_KEY: 'hunter2', AUTH_URL: undefined, PORT: 'x' });
    expect(text.split('\n').map((line) => line.split(':')[0])).toEqual(['PORT', 'SERVICE_KEY', 'AUTH_URL']);
    expect(text).not.toContain('hunter2');
  });
});

test('parses flags, ports and addresses', () => {
  expect(readEnvironment({ A: 'true', B: '8080', C: 'https://x.co' }, { A: flag, B: port, C: url })).toEqual({
    A: true,
    B: 8080,
    C: 'https://x.co',
  });
  expect(() => readEnvironment({ A: 'yes' }, { A: flag })).toThrow(/^A: /);
});

const STRONG = {
  NODE_ENV: 'production',
  SITE_URL: 'https://trees.example',
  AUTH_SECOND_FACTOR_KEY: randomBytes(48).toString('base64'),
  QUOTE_SECRET: randomBytes(24).toString('base64url'),
  DATABASE_URL: 'postgres://orders:Vq7-kT2mZ9@db:5432/orders',
};

test.each(['hex', 'base64', 'base64url'] as const)(
  'a random secret, written as %s, is not guessable',
  (as) => {
    const found = Array.from({ length: 2_000 }, () => randomBytes(as === 'hex' ? 16 : 24).toString(as));
    expect(found.filter(isGuessable)).toEqual([]);
  },
);

// One in ten thousand random secrets has as low an entropy as these.
test.each(['c477c4d8d4cc89aac78639ac8c9a8799', 'f3e993f9e99d0eef9d6ebb949329f79f'])(
  'nor is %s, despite its low entropy',
  (secret) => expect(isGuessable(secret)).toBe(false),
);

test.each([
  'x'.repeat(64),
  '0123456789abcdef'.repeat(4),
  'change-me-before-you-go-live-please-1',
  'a-secret-that-nobody-will-ever-guess',
  '1234567890123456789012345678901234',
  'aaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbcccc',
  'correct-horse-battery-staple-Bogota-2026',
  'our trees grow well in the valley, 2026',
  'arboleda arboleda arboleda arboleda ',
])('%s is guessable', (text) => {
  expect(isGuessable(text)).toBe(true);
});

test('accepts strong settings in production', () => {
  expect(weaknesses(STRONG)).toEqual([]);
});

describe('production is refused', () => {
  test.each([
    ['AUTH_SECOND_FACTOR_KEY', { AUTH_SECOND_FACTOR_KEY: 's'.repeat(40) }],
    ['AUTH_SECOND_FACTOR_KEY', { AUTH_SECOND_FACTOR_KEY: STRONG.QUOTE_SECRET }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://orders:orders@db:5432/orders' }],
    ['MONGODB_URL', { MONGODB_URL: 'mongodb://orders:CHANGE@mongo:27017/' }],
    ['MONGODB_URL', { MONGODB_URL: 'mongodb://orders:orders@mongo-1:27017,mongo-2:27017/?replicaSet=rs' }],
    ['S3_SECRET_KEY', { S3_SECRET_KEY: 'minioadmin' }],
    ['SITE_URL', { SITE_URL: 'http://trees.example' }],
    ['STRIPE_API_URL', { STRIPE_API_URL: 'http://stripe-sandbox:12111' }],
    ['STRIPE_API_URL', { STRIPE_API_URL: 'https://api.stripe.com.evil.example' }],
    ['STRIPE_SCRIPT_URL', { STRIPE_SCRIPT_URL: 'https://cdn.example/stripe.js' }],
  ])('for %s', (name, weak) => {
    const env = { ...STRONG, ...weak };
    expect(weaknesses(env)).toEqual([expect.stringMatching(`^${name}: `)]);
    for (const value of Object.values(weak)) expect(weaknesses(env).join()).not.toContain(value);
    // A public address makes it production even without NODE_ENV.
    expect(weaknesses({ ...env, NODE_ENV: undefined })).toEqual(weaknesses(env));
  });
});

test.each([
  ['a live key', { STRIPE_SECRET_KEY: 'sk_live_abc' }, 'STRIPE_SECRET_KEY'],
  ['a live restricted key', { STRIPE_SECRET_KEY: 'rk_live_abc' }, 'STRIPE_SECRET_KEY'],
  ['a live publishable key', { STRIPE_PUBLISHABLE_KEY: 'pk_live_abc' }, 'STRIPE_PUBLISHABLE_KEY'],
  ['an https address', { SITE_URL: 'https://trees.example' }, 'SITE_URL'],
  ['an http address of others', { SITE_URL: 'http://trees.example' }, 'SITE_URL'],
  ['all interfaces', { HOST: '0.0.0.0' }, 'HOST'],
  ['all interfaces by IPv6', { HOST: '::' }, 'HOST'],
  ['one interface', { HOST: '192.168.1.7' }, 'HOST'],
  ['a port that compose publishes', { HOST: '127.0.0.1', PUBLISHED_HOST: '0.0.0.0' }, 'HOST'],
])('%s means production, whatever NODE_ENV is', (_what, env, name) => {
  for (const NODE_ENV of [undefined, '', 'development', 'production']) {
    expect([isProduction({ ...env, NODE_ENV }), isPublicProduction({ ...env, NODE_ENV })]).toEqual([
      true,
      true,
    ]);
  }
  expect(productionBecause(env)).toMatch(new RegExp(`^${name} `));
});

test.each([
  {},
  { STRIPE_SECRET_KEY: 'sk_test_abc', SITE_URL: 'http://localhost:8080', HOST: '127.0.0.1' },
  { SITE_URL: 'https://localhost:8443', HOST: 'localhost' },
  { SITE_URL: 'http://shop.localhost:8080', HOST: '::1' },
  { HOST: '0.0.0.0', PUBLISHED_HOST: '127.0.0.1' },
])('an address on this machine does not mean production (%j)', (env) => {
  expect(isProduction(env)).toBe(false);
});

test('rejects a public site under a localhost address', () => {
  const open = { NODE_ENV: 'production', SITE_URL: 'http://localhost:8080', HOST: '0.0.0.0' };
  expect(weaknesses(open)).toEqual(['SITE_URL: must be an https address in production']);
  expect(weaknesses({ ...open, PUBLISHED_HOST: '127.0.0.1' })).toEqual([]);
});

test('lets a rehearsal on this machine use fakes, but no weak secrets', () => {
  const rehearsal = { ...STRONG, SITE_URL: 'http://localhost:8080', STRIPE_API_URL: 'http://sandbox:12111' };
  expect([isPublicProduction(rehearsal), weaknesses(rehearsal)]).toEqual([false, []]);
  expect(weaknesses({ ...rehearsal, QUOTE_SECRET: 'x'.repeat(32) })).toHaveLength(1);
});

test('deletes in batches until one is not full', async () => {
  const left = [3, 3, 1, 9];
  const asked: number[] = [];
  const clear = async (limit: number) => {
    asked.push(limit);
    return left.shift()!;
  };
  expect(await inBatches(clear, 3)).toBe(7);
  expect(asked).toEqual([3, 3, 3]);
});

test('logs a kind that cannot be cleared, and clears and counts the rest', async () => {
  const lines: Record<string, unknown>[] = [];
  const logger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const metrics = openMetrics('test');
  await keepRetention({
    jobs: { every: (_name, _ms, run) => run() },
    metrics,
    logger,
    clearings: {
      stuck: async () => {
        throw new Error('away');
      },
      letters: async () => 2,
    },
  });
  expect(await metrics.registry.metrics()).toContain(
    'retention_cleared_total{what="letters",service="test"} 2',
  );
  expect(lines.filter(({ level }) => level === 50)).toEqual([expect.objectContaining({ what: 'stuck' })]);
});

test('subtracts days from now', () => {
  expect(daysBefore(new Date('2026-03-31T12:00:00Z'), 31)).toEqual(new Date('2026-02-28T12:00:00Z'));
});
