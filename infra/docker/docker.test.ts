import { newKey, publicHalfOf } from '@arboleda/chassis/keys.ts';
import { consumers as ofAssignments } from '@arboleda/assignments/consumers.ts';
import { accessEntries } from '@arboleda/chassis/kafka-setup/access.ts';
import { EVENTS } from '@arboleda/contracts/events/index.ts';
import { TRAFFIC } from '@arboleda/contracts/events/traffic.ts';
import { type ServiceName, SERVICES } from '@arboleda/contracts/services.ts';
import { consumers as ofNotifications } from '@arboleda/notifications/consumers/index.ts';
import { consumers as ofOrders } from '@arboleda/orders/consumers.ts';
import { consumers as ofPayments } from '@arboleda/payments/consumers.ts';
import { expect, test } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { parse } from 'yaml';
import { BEGIN, END, flowchart, readParts, withFlowchart } from './diagram.ts';
import { sourceOf } from '../k8s/calls.ts';
import { completeFile, freshValues } from './env-file.ts';
import { imageNames, sizeTable } from './image-sizes.ts';
import { rollServices } from './rolling.ts';

const COMPOSE = `
x-common: &common
  AUTH_URL: http://auth:8080
  ORDERS_URL: http://orders:8080
services:
  gateway:
    ports: ['\${PORT:-8080}:8080']
    environment: { <<: *common, DATABASE_URL: 'postgres://gateway:\${SECRET:?no}@db:5432/gateway' }
  auth:
    environment: { <<: *common, KAFKA_BROKERS: 'kafka:9092', NOTE: 'db and kafka' }
    depends_on: { db-setup: { condition: service_completed_successfully } }
  orders:
    environment: { <<: *common, KAFKA_BROKERS: 'kafka:9092' }
  kafka: { volumes: ['kafka:/data', './settings:/settings:ro'] }
  db: { ports: ['127.0.0.1:5433:5432'] }
  db-setup: { depends_on: { db: {} } }
  watcher: { profiles: [observability] }
`;

test('shows connections, published ports and volumes', () => {
  expect(flowchart(COMPOSE).split('\n')).toEqual([
    '```mermaid',
    'flowchart LR',
    '  gateway["gateway<br/>port 8080"]',
    '  kafka["kafka<br/>volume kafka"]',
    '  db["db<br/>port 127.0.0.1:5433"]',
    '  db-setup["db-setup"]',
    '  subgraph group1["services"]',
    '    auth["auth"]',
    '    orders["orders"]',
    '  end',
    '  subgraph group2["--profile observability"]',
    '    watcher["watcher"]',
    '  end',
    '  gateway --> auth & orders & db',
    '  auth --> orders & kafka',
    '  orders --> auth & kafka',
    '  auth -.-> db-setup',
    '  db-setup -.-> db',
    '```',
  ]);
});

test('writes between the markers only', () => {
  const written = withFlowchart(`above\n${BEGIN}\nold\n${END}\nbelow`, COMPOSE);
  expect(written).toMatch(/^above\n/);
  expect(written).toMatch(/\nbelow$/);
  expect(written).not.toContain('old');
  expect(withFlowchart(written, COMPOSE)).toBe(written);
  expect(() => withFlowchart('no markers', COMPOSE)).toThrow('to write between');
});

test('docs/operations.md shows docker-compose.yml as it is: npm run diagram', () => {
  const { document, composeText } = readParts();
  expect(document).toBe(withFlowchart(document, composeText));
});

const ROOT = join(import.meta.dirname, '..', '..');
/** Relative imports of values; type imports are not loaded. */
const LOADS = /^import (?!type )[^;]*? from '(\.[^']+)';/gm;
const compose = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8');

test('writes everything that docker compose requires', () => {
  const demanded = [...compose.matchAll(/\$\{([A-Z_0-9]+):\?run "npm run env" first/g)].map(
    ([, name]) => name,
  );
  expect(demanded.length).toBeGreaterThan(15);
  expect(Object.keys(parseEnv(completeFile('', {}).text))).toEqual(expect.arrayContaining(demanded));
});

test('secrets are long, safe in URLs, and new each time', () => {
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

test('keeps existing settings, also without a final newline', () => {
  const { text, added } = completeFile(
    'BANK_ACCOUNTS="bancolombia|Ahorros|1|Nosotros|2"\nQUOTE_SECRET=chosen',
    {},
  );
  expect(parseEnv(text)).toMatchObject({
    BANK_ACCOUNTS: 'bancolombia|Ahorros|1|Nosotros|2',
    QUOTE_SECRET: 'chosen',
  });
  expect(added).not.toContain('BANK_ACCOUNTS');
  expect(text.match(/QUOTE_SECRET=/g)).toHaveLength(1);
});

test('both halves of the mail token key form a pair, whichever existed', () => {
  const isPair = (text: string) => {
    const { MAIL_TOKEN_PRIVATE_KEY, MAIL_TOKEN_PUBLIC_KEY } = parseEnv(text);
    return publicHalfOf(MAIL_TOKEN_PRIVATE_KEY!) === MAIL_TOKEN_PUBLIC_KEY;
  };
  const { text } = completeFile('', {});
  const without = (name: string) => text.replace(new RegExp(`^${name}=.*\\n`, 'm'), '');
  for (const before of ['', without('MAIL_TOKEN_PRIVATE_KEY'), without('MAIL_TOKEN_PUBLIC_KEY')])
    expect(isPair(completeFile(before, {}).text)).toBe(true);
  expect(parseEnv(completeFile(without('MAIL_TOKEN_PUBLIC_KEY'), {}).text).MAIL_TOKEN_PRIVATE_KEY).toBe(
    parseEnv(text).MAIL_TOKEN_PRIVATE_KEY,
  );
});

test('public keys of services match their private keys, whoever chose them', () => {
  const { text } = completeFile('', {});
  const orders = newKey('ed25519');
  const changed = parseEnv(
    completeFile(text.replace(/^ORDERS_SERVICE_KEY=.*$/m, `ORDERS_SERVICE_KEY=${orders}`), {}).text,
  );
  const before = parseEnv(text);
  const publicKeys = (env: NodeJS.Dict<string>) => env.SERVICE_PUBLIC_KEYS!.split(',');
  expect(publicKeys(changed)).toEqual(
    publicKeys(before).map((entry) =>
      entry.startsWith('orders=') ? `orders=${publicHalfOf(orders)}` : entry,
    ),
  );
  expect(publicKeys(before)).toContain(`media=${publicHalfOf(before.MEDIA_SERVICE_KEY!)}`);
});

test('each service gets only its own key, and only the demo the operator’s', () => {
  const { services } = parse(compose, { merge: true, maxAliasCount: -1 }) as {
    services: Record<string, { environment?: Record<string, string> }>;
  };
  const keys = Object.entries(services).flatMap(([service, { environment = {} }]) =>
    Object.values(environment).flatMap((value) => {
      const [name] = /[A-Z]+_SERVICE_KEY/.exec(String(value)) ?? [];
      return name ? [`${service} ${name}`] : [];
    }),
  );
  expect(keys.sort()).toEqual(
    [
      ...SERVICES.map((name) => `${name} ${name.toUpperCase()}_SERVICE_KEY`),
      'demo OPERATOR_SERVICE_KEY',
    ].sort(),
  );
});

test('each service has its own user at every engine, and no superuser’s password', () => {
  const { services } = parse(compose, { merge: true, maxAliasCount: -1 }) as {
    services: Record<string, { environment?: Record<string, string>; entrypoint?: unknown }>;
  };
  for (const name of SERVICES) {
    const environment = services[name]!.environment!;
    expect([environment.KAFKA_USERNAME, environment.S3_ACCESS_KEY ?? name]).toEqual([name, name]);
    const passwords = Object.values(environment).flatMap(
      (value) =>
        String(value).match(
          /(?:POSTGRES|MONGODB|KAFKA|MINIO)_\w+_PASSWORD|\w+_ROOT_PASSWORD|POSTGRES_PASSWORD/g,
        ) ?? [],
    );
    expect(passwords.filter((one) => !one.includes(`_${name.toUpperCase()}_`))).toEqual([]);
  }
});

test('exporters get the password of the engine’s monitoring user, and no other', () => {
  const { services } = parse(compose, { merge: true, maxAliasCount: -1 }) as {
    services: Record<string, { environment?: Record<string, string>; image?: string; read_only?: boolean }>;
  };
  const exporters = Object.entries(services).filter(([name]) => name.endsWith('-exporter'));
  const passwords = exporters.map(([name, { environment = {} }]) => [
    name,
    Object.values(environment).flatMap((value) => String(value).match(/\w+_PASSWORD/g) ?? []),
  ]);
  expect(Object.fromEntries(passwords)).toEqual({
    'postgres-exporter': ['POSTGRES_MONITORING_PASSWORD'],
    'mongodb-exporter': ['MONGODB_MONITORING_PASSWORD'],
    'kafka-exporter': ['KAFKA_MONITORING_PASSWORD'],
    'kafka-disk-exporter': ['KAFKA_MONITORING_PASSWORD'],
  });
  for (const [, { image, read_only: isReadOnly }] of exporters) {
    expect(image).toMatch(/:v?\d+\.\d+\.\d+$/);
    expect(isReadOnly).toBe(true);
  }
});

test('every container has bounds of memory, processes and CPU, and the object store is not root', () => {
  const { services } = parse(compose, { merge: true, maxAliasCount: -1 }) as {
    services: Record<string, Record<string, unknown>>;
  };
  const bounds = ['mem_limit', 'pids_limit', 'cpus'];
  const unbound = Object.entries(services).filter(([, one]) => bounds.some((name) => !(name in one)));
  expect(unbound.map(([name]) => name)).toEqual([]);
  expect(services.minio!.user).toBe('1000:1000');
});

test('the token of Prometheus for the object store is that of its monitoring user', () => {
  const { MINIO_METRICS_TOKEN: token, MINIO_MONITORING_PASSWORD: password } = parseEnv(
    completeFile('', {}).text,
  );
  const [head, claims, signature] = token!.split('.');
  const signed = createHmac('sha512', password!).update(`${head}.${claims}`).digest('base64url');
  expect(signature).toBe(signed);
  expect(JSON.parse(Buffer.from(claims!, 'base64url').toString())).toMatchObject({
    iss: 'prometheus',
    sub: 'monitoring',
  });
});

test('services publish and consume what the contracts say', () => {
  const nothing = {} as never;
  const listening: Partial<Record<ServiceName, object>> = {
    payments: ofPayments(nothing),
    orders: ofOrders(nothing, nothing, nothing, nothing, nothing),
    assignments: ofAssignments(nothing, nothing, nothing),
    notifications: ofNotifications(nothing),
  };
  for (const name of SERVICES) {
    const { publishes, listensTo } = TRAFFIC[name];
    expect([name, Object.keys(listening[name] ?? {}).sort()]).toEqual([name, [...listensTo].sort()]);
    const told = [...sourceOf(name).matchAll(/\btype: '([a-z_]+\.[a-z_]+)'/g)].map((match) => match[1]!);
    expect([name, [...new Set(told.filter((type) => type in EVENTS))].sort()]).toEqual([
      name,
      [...publishes].sort(),
    ]);
  }
  expect(SERVICES.flatMap((name) => TRAFFIC[name].publishes).sort()).toEqual(Object.keys(EVENTS).sort());
});

test("Kafka's ACLs match the contracts and each service's own topics", () => {
  const may = (service: ServiceName | 'monitoring', operation: number) =>
    accessEntries()
      .filter((entry) => entry.principal === `User:${service}` && entry.operation === operation)
      .map(({ resourceName }) => resourceName);
  const [READ, WRITE, DESCRIBE] = [3, 4, 8];
  expect(may('media', WRITE)).toEqual(['photo.uploaded', 'photo.hidden', 'photo.restored', 'audit.recorded']);
  expect(may('media', READ)).toEqual([]);
  expect([may('monitoring', READ), may('monitoring', WRITE)]).toEqual([[], []]);
  expect(may('monitoring', DESCRIBE)).toEqual(['kafka-cluster', '*']);
  expect(may('notifications', WRITE)).toEqual(['gift.delivered', 'gift.bounced', 'notifications.']);
  expect(may('payments', READ)).toEqual([...TRAFFIC.payments.listensTo, 'payments', 'payments.', 'reader-']);
  expect(
    Object.keys(EVENTS).filter((topic) => SERVICES.some((name) => topic.startsWith(`${name}.`))),
  ).toEqual([]);
});

test('only auth can seal mail tokens, and only notifications can open them', () => {
  const { services } = parse(compose, { merge: true, maxAliasCount: -1 }) as {
    services: Record<string, { environment?: Record<string, string> }>;
  };
  const having = (name: string) =>
    Object.keys(services).filter((service) => name in (services[service]!.environment ?? {}));
  expect([having('MAIL_TOKEN_PUBLIC_KEY'), having('MAIL_TOKEN_PRIVATE_KEY')]).toEqual([
    ['auth'],
    ['notifications'],
  ]);
});

test('a variable in the environment counts as set', () => {
  expect(completeFile('', { QUOTE_SECRET: 'from outside' }).added).not.toContain('QUOTE_SECRET');
});

test('fills an empty setting', () => {
  const values = { ...freshValues(), DEMO_PASSWORD: 'ceiba-roble-1234-hoja' };
  expect(parseEnv(completeFile('DEMO_PASSWORD=\n', {}, values).text).DEMO_PASSWORD).toBe(
    'ceiba-roble-1234-hoja',
  );
});

test('without a Stripe key the sandbox runs, and npm start still uses its own', () => {
  const settings = parseEnv(completeFile('', {}).text);
  expect(settings.STRIPE_SANDBOX_REPLICAS).toBe('1');
  for (const name of ['STRIPE_SECRET_KEY', 'STRIPE_API_URL', 'DATABASE_URL', 'SMTP_URL', 'SITE_URL']) {
    expect(settings).not.toHaveProperty(name);
  }
});

test('with a Stripe key, even a later one, cards are charged there', () => {
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

test('returns to the sandbox when the key is removed', () => {
  const withKey = completeFile('STRIPE_SECRET_KEY=sk_live_x\n', {}).text;
  const after = completeFile(withKey.replace('STRIPE_SECRET_KEY=sk_live_x\n', ''), {});
  expect(after.usesSandbox).toBe(true);
  expect(parseEnv(after.text)).not.toHaveProperty('STRIPE_API_URL');
});

test('keeps another server that speaks Stripe’s API', () => {
  const { text } = completeFile('STRIPE_SECRET_KEY=sk_test_x\nSTRIPE_API_URL=https://stripe.example\n', {});
  expect(parseEnv(text).STRIPE_API_URL).toBe('https://stripe.example');
});

test('adds the sandbox’s prices with the sandbox, and keeps other prices', () => {
  const { text } = completeFile('STRIPE_PRICE_LIFETIME=price_mine\n', {});
  expect(parseEnv(text)).toMatchObject({
    STRIPE_PRICE_FIRST_YEAR: 'price_first_year',
    STRIPE_PRICE_LIFETIME: 'price_mine',
  });
  const settings = parseEnv(completeFile(`${text}STRIPE_SECRET_KEY=sk_live_x\n`, {}).text);
  expect(settings.STRIPE_PRICE_LIFETIME).toBe('price_mine');
  expect(settings).not.toHaveProperty('STRIPE_PRICE_FIRST_YEAR');
});

test('only the gateway can be published beyond this machine', () => {
  const { services } = parse(compose, { merge: true, maxAliasCount: -1 }) as {
    services: Record<string, { ports?: string[]; profiles?: string[] }>;
  };
  const ports = Object.values(services).flatMap(({ ports = [] }) => ports);
  expect(services.gateway!.ports).toEqual(['${HOST:-127.0.0.1}:${PORT:-8080}:8080']);
  for (const port of ports) expect(port).toMatch(/^(\$\{HOST:-127\.0\.0\.1\}|127\.0\.0\.1):/);
  expect(ports.filter((port) => port.includes('HOST'))).toHaveLength(1);
  expect(services.maildev).toMatchObject({ profiles: ['inbox'] });
  expect(services.maildev!.ports).toBeUndefined();
  expect(services.inbox!.profiles).toEqual(['inbox']);
});

test.each([
  ['localhost:1080', '', true],
  ['127.0.0.1', '', true],
  ['[::1]:1080', 'http://[::1]:1080', true],
  ['localhost:1080', 'http://localhost:1080', true],
  ['localhost:1080', 'http://localhost:3000', false],
  ['localhost:1080', 'https://evil.example', false],
  ['localhost:1080', 'null', false],
  ['evil.example', '', false],
  ['localhost.evil.example', '', false],
  ['', '', false],
])('the inbox of compose asked as %s by a page of “%s”: %s', (host, origin, isAnswered) => {
  const settings = readFileSync(join(ROOT, 'infra/docker/inbox/nginx.conf'), 'utf8');
  const [, pattern] = /"~(\^.*\$)" 1;/.exec(settings)!;
  expect(new RegExp(pattern!).test(`${host} ${origin}`)).toBe(isAnswered);
});

test('a service keeps its replicas whatever starts next, and the gateway is healthy without them', () => {
  const { services } = parse(compose, { merge: true, maxAliasCount: -1 }) as {
    services: Record<string, { deploy?: { replicas: string }; environment?: Record<string, string> }>;
  };
  for (const name of SERVICES)
    expect([name, services[name]!.deploy?.replicas]).toEqual([name, `\${${name.toUpperCase()}_REPLICAS:-1}`]);
  expect(services.gateway!.environment!.HEALTH_PATH).toBe('/livez');
});

test('runs the inbox until a mail server is set', () => {
  const trial = completeFile('', {}).text;
  expect(parseEnv(trial).COMPOSE_PROFILES).toBe('inbox');
  const real = completeFile(`${trial}SMTP_URL=smtps://mail.example\n`, {}).text;
  expect(parseEnv(real)).not.toHaveProperty('COMPOSE_PROFILES');
  const own = completeFile('COMPOSE_PROFILES=observability\n', {}).text;
  expect(parseEnv(own).COMPOSE_PROFILES).toBe('observability');
});

test('the demo image contains every file that it loads', () => {
  const dockerfile = readFileSync(join(import.meta.dirname, 'Dockerfile'), 'utf8');
  const copied = [...dockerfile.matchAll(/^COPY (infra\/(?:docker|cli)\S*) /gm)].map(([, path]) => path!);
  const loaded = new Set<string>();
  const load = (path: string) => {
    if (loaded.has(path)) return;
    loaded.add(path);
    for (const [, next] of readFileSync(join(ROOT, path), 'utf8').matchAll(LOADS))
      load(join(path, '..', next!));
  };
  load('infra/docker/demo.ts');
  expect(loaded.size).toBeGreaterThan(5);
  expect(
    [...loaded].filter((path) => !copied.some((one) => path === one || path.startsWith(`${one}/`))),
  ).toEqual([]);
});

test('lists images once, in order', () => {
  expect(imageNames('arboleda/orders:latest\narboleda/auth:v2\narboleda/auth:latest\n')).toEqual([
    'arboleda/auth',
    'arboleda/orders',
  ]);
  expect(imageNames('\n')).toEqual([]);
});

test('marks an image above the size limit', () => {
  const table = sizeTable([
    { name: 'arboleda/auth', bytes: 240e6 },
    { name: 'arboleda/orders', bytes: 300e6 },
  ]);
  expect(table).toBe('arboleda/auth     240 MB\narboleda/orders   300 MB   more than 250');
});

test('stops old containers only when as many new ones run', async () => {
  const commands: string[] = [];
  const said: string[] = [];
  const docker = async (...args: string[]) => {
    commands.push(args.join(' '));
    return args.includes('ps') && args.includes('media') ? 'old-1\nold-2\n' : '';
  };
  await rollServices(['media', 'orders'], (line) => said.push(line), { docker, project: ['-p', 'trial'] });
  const setUp = [
    'compose -p trial up --no-deps postgres-setup mongodb-setup minio-setup',
    'compose -p trial run --rm --no-deps kafka-setup node infra/chassis/kafka-setup/main.ts --keep',
  ];
  expect(commands).toEqual([
    ...setUp,
    'compose -p trial ps --quiet media',
    'compose -p trial up --detach --wait --no-deps --no-recreate --scale media=4 media',
    'stop --time 20 old-1 old-2',
    'rm old-1 old-2',
    'compose -p trial ps --quiet orders',
  ]);
  expect(said).toEqual(['media: 2 replaced', 'orders: not running']);
  commands.length = 0;
  await rollServices(SERVICES, () => undefined, { docker, project: ['-p', 'trial'] });
  expect(commands.slice(0, 2)).toEqual(setUp);
  expect(commands.at(-1)).toBe('compose -p trial run --rm --no-deps kafka-setup');
});
