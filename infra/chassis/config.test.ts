import { describe, expect, test } from '@jest/globals';
import { ConfigError, flag, port, readEnvironment, serviceConfig, url } from './config.ts';

const env = {
  SERVICE_SECRET: 's'.repeat(32),
  DATABASE_URL: 'postgresql://localhost/arboleda',
  AUTH_URL: 'http://auth:3000',
};

const message = (changes: Record<string, string | undefined>): string => {
  try {
    serviceConfig({ ...env, ...changes });
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'no fault';
};

describe('the environment of a service', () => {
  test('needs three variables; the rest has defaults', () => {
    expect(serviceConfig(env)).toEqual({
      drainMs: 0,
      host: '127.0.0.1',
      port: 0,
      logLevel: 'info',
      maxCallsInFlight: 256,
      jwksUrl: 'http://auth:3000/internal/jwks',
      serviceSecret: env.SERVICE_SECRET,
      serviceUrls: { auth: 'http://auth:3000' },
      platform: {
        databaseUrl: env.DATABASE_URL,
        objectsDir: '.data/objects',
        smtpUrl: 'smtp://127.0.0.1:1025',
        mailFrom: 'Arboleda <hola@arboleda.test>',
      },
    });
  });

  test('counts an empty variable as not set', () => {
    expect(serviceConfig({ ...env, PORT: '', LOG_LEVEL: '' })).toMatchObject({ port: 0, logLevel: 'info' });
  });

  test.each([
    ['SERVICE_SECRET', undefined, 'SERVICE_SECRET: must be set'],
    ['SERVICE_SECRET', '', 'SERVICE_SECRET: must be set'],
    ['SERVICE_SECRET', 'short', 'SERVICE_SECRET: must have at least 32 characters'],
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

  test('names the engines that shall stand in PostgreSQL’s place', () => {
    const { platform } = serviceConfig({
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
    });
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

  test('names every fault at once, and never tells a secret', () => {
    const text = message({ SERVICE_SECRET: 'hunter2', AUTH_URL: undefined, PORT: 'x' });
    expect(text.split('\n').map((line) => line.split(':')[0])).toEqual([
      'PORT',
      'SERVICE_SECRET',
      'AUTH_URL',
    ]);
    expect(text).not.toContain('hunter2');
  });
});

test('flags, ports and addresses are read as what they are', () => {
  expect(readEnvironment({ A: 'true', B: '8080', C: 'https://x.co' }, { A: flag, B: port, C: url })).toEqual({
    A: true,
    B: 8080,
    C: 'https://x.co',
  });
  expect(() => readEnvironment({ A: 'yes' }, { A: flag })).toThrow(/^A: /);
});
