import { refusedPassword } from '@arboleda/chassis/connect-retry.ts';
import { listen } from '@arboleda/chassis/http/server.ts';
import { freePort } from '@arboleda/chassis/testing/free-port.ts';
import { SERVICES } from '@arboleda/contracts/services.ts';
import { VERSION } from '@arboleda/contracts/version.ts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBackupFolder } from '../backup/files.ts';
import { type Answer, type Container, figureFindings, findingsOf } from './containers.ts';
import { lastBackup } from './last-backup.ts';
import {
  certificateFindings,
  envFileFindings,
  folderFindings,
  mailFindings,
  settingFindings,
  skewFindings,
  stripeFindings,
} from './settings.ts';

const KEYS = {
  STRIPE_SECRET_KEY: 'sk_live_abc123',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_abc123',
  STRIPE_WEBHOOK_SECRET: 'whsec_abc',
  SITE_URL: 'https://trees.example',
  ORGANISATION_NAME: 'Fundación Árboles',
  ORGANISATION_TAX_ID: 'NIT 901.442.118-3',
  ORGANISATION_ADDRESS: 'Calle 1 # 2-3, Salento',
};

test('correct settings give no finding', () => {
  expect(settingFindings({})).toEqual([]);
  expect(settingFindings(KEYS)).toEqual([]);
  expect(settingFindings({ ...KEYS, STRIPE_WEBHOOK_SECRET: 'whsec_new, whsec_old' })).toEqual([]);
});

test.each([
  [{ STRIPE_SECRET_KEY: 'pk_live_abc123' }, /^STRIPE_SECRET_KEY is not a Stripe secret key/],
  [{ STRIPE_PUBLISHABLE_KEY: 'sk_live_abc123' }, /^STRIPE_PUBLISHABLE_KEY is not a Stripe publishable key/],
  [{ STRIPE_PUBLISHABLE_KEY: 'pk_test_abc123' }, /is a live key and STRIPE_PUBLISHABLE_KEY a test key/],
  [{ STRIPE_WEBHOOK_SECRET: 'abc' }, /^STRIPE_WEBHOOK_SECRET is not a signing secret/],
  [{ SITE_URL: '' }, /^SITE_URL is not set, and payments are real/],
  [{ SITE_URL: 'trees' }, /^SITE_URL is not an address/],
  [{ SITE_URL: 'http://trees.example' }, /^SITE_URL starts with http/],
  [
    { ORGANISATION_NAME: '' },
    /^ORGANISATION_NAME is not set, so pages, receipts and emails do not say who sells/,
  ],
  [
    { ORGANISATION_TAX_ID: '', ORGANISATION_ADDRESS: '' },
    /^ORGANISATION_TAX_ID, ORGANISATION_ADDRESS are not set/,
  ],
])('%j gives one finding, without the secret', (change, sentence) => {
  const findings = settingFindings({ ...KEYS, ...change });
  expect(findings).toEqual([expect.stringMatching(sentence)]);
  expect(findings[0]).not.toMatch(/abc/);
});

test('in production each claim that authorities have fined elsewhere is named, until it is off', () => {
  const said = (changes: object) =>
    settingFindings({ ...KEYS, NODE_ENV: 'production', ...changes }).map(
      (finding) => /^\w+/.exec(finding)![0],
    );
  expect(said({})).toEqual(['OFFER', 'HECTARES', 'CO2_CLAIMS', 'STATS_BASELINE_TREES']);
  expect(said({ OFFER: 'off', STATS_BASELINE_TREES: '0' })).toEqual(['HECTARES', 'CO2_CLAIMS']);
  const off = { OFFER: 'off', HECTARES: 'off', CO2_CLAIMS: 'off', STATS_BASELINE_TREES: '0' };
  expect(said(off)).toEqual([]);
  for (const finding of settingFindings({ ...KEYS, NODE_ENV: 'production' }))
    expect(finding).toMatch(/EU .*SIC/);
});

describe('the data folder', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'arboleda-doctor-'));
    writeFileSync(join(dir, '.arboleda'), '');
    writeFileSync(join(dir, 'secrets.json'), '{}', { mode: 0o600 });
    writeFileSync(join(dir, 'version.json'), `{"version":"${VERSION}"}`);
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  test('is fine', async () => {
    expect(await folderFindings(dir, 0)).toEqual([]);
  });
  test('is missing, or not ours', async () => {
    expect(await folderFindings(join(dir, 'none'))).toEqual([
      expect.stringContaining('There is no data folder'),
    ]);
    rmSync(join(dir, '.arboleda'));
    expect(await folderFindings(dir)).toEqual([expect.stringContaining('is not a data folder of Arboleda')]);
  });
  test('is from before 1.0, or from a newer version', async () => {
    writeFileSync(join(dir, 'version.json'), '{"version":"99.0.0"}');
    expect(await folderFindings(dir, 0)).toEqual([expect.stringContaining('was written by version 99.0.0')]);
    rmSync(join(dir, 'version.json'));
    expect(await folderFindings(dir, 0)).toEqual([expect.stringContaining('by a version before 1.0')]);
  });
  test('has too little room', async () => {
    expect(await folderFindings(dir, 1e18)).toEqual([
      expect.stringMatching(/^The disk of .* has \d+ MB left/),
    ]);
  });
  test('has lost its secrets, or lets others read them', async () => {
    chmodSync(join(dir, 'secrets.json'), 0o644);
    expect(await folderFindings(dir, 0)).toEqual([expect.stringContaining('chmod go-rwx')]);
    rmSync(join(dir, 'secrets.json'));
    expect(await folderFindings(dir, 0)).toEqual([expect.stringContaining('is missing')]);
    writeFileSync(join(dir, '.env'), '', { mode: 0o644 });
    expect(await envFileFindings(join(dir, '.env'))).toEqual([expect.stringContaining('chmod 600')]);
  });
});

describe('the last backup', () => {
  let dir: string;
  const madeAt = '2026-11-30T08:00:00Z';
  const row = (folder: string | null, version: string | null = VERSION) => ({ madeAt, version, folder });
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'arboleda-doctor-'));
    const backup = await openBackupFolder(join(dir, 'backup'));
    await backup.write('settings.env', 'PORT=8080');
    await backup.finish({ tier: 'npm start', migrations: {}, auditHeads: [], counts: {} }, new Date(madeAt));
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  test('is told with its time, version and folder, and whether it can be restored here', async () => {
    const folder = join(dir, 'backup');
    expect(await lastBackup(row(folder))).toEqual({
      line: `Last backup: ${madeAt}, by version ${VERSION}, in ${folder}. It can be restored here.`,
      findings: [],
    });
    expect((await lastBackup(row('/elsewhere'))).line).toContain(
      'in /elsewhere, which is not on this machine.',
    );
    expect((await lastBackup(row(null, null))).line).toBe(`Last backup: ${madeAt}, made by other means.`);
    expect((await lastBackup(null)).line).toBe('Last backup: none was made.');
  });

  test('cannot be restored when it is damaged, not whole or of a newer version', async () => {
    const folder = join(dir, 'backup');
    const found = async () => (await lastBackup(row(folder))).findings;
    const sentence = (why: string) => [`The last backup cannot be restored here: ${why}`];
    writeFileSync(join(folder, 'data', 'settings.env'), '');
    expect(await found()).toEqual(sentence(`settings.env in ${folder} is not as it was written.`));
    rmSync(join(folder, 'data', 'settings.env'));
    expect(await found()).toEqual(sentence(`settings.env is missing in ${folder}.`));
    const manifest = join(folder, 'manifest.json');
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(VERSION, '99.0.0'));
    expect(await found()).toEqual([expect.stringContaining('made by version 99.0.0')]);
    rmSync(manifest);
    expect(await found()).toEqual([expect.stringContaining('is no whole backup')]);
  });
});

describe('other servers', () => {
  const speaking = async (greeting: string) => {
    const server = createServer((socket) => socket.end(greeting)).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    return { url: `smtp://user:hush@127.0.0.1:${port}`, close: () => server.close() };
  };

  test('a mail server that answers is fine; one that is down, or another program, is reported', async () => {
    const [good, bad] = [await speaking('220 mail\r\n'), await speaking('HTTP/1.1 400\r\n')];
    expect(await mailFindings(good.url)).toEqual([]);
    expect(await mailFindings(bad.url)).toEqual([expect.stringContaining('is not a mail server')]);
    const away = await mailFindings(`smtp://user:hush@127.0.0.1:${await freePort()}`);
    expect(away).toEqual([expect.stringContaining('does not answer')]);
    expect(away[0]).not.toContain('hush');
    expect(await mailFindings('mail')).toEqual([expect.stringContaining('SMTP_URL is not an address')]);
    good.close();
    bad.close();
  });

  test('a payment provider rejects the key, or is down', async () => {
    const server = await listen((_request, response) => void response.writeHead(401).end(), {
      host: '127.0.0.1',
      port: 0,
    });
    expect(await stripeFindings({ ...KEYS, STRIPE_API_URL: server.url })).toEqual([
      expect.stringContaining('Stripe refuses STRIPE_SECRET_KEY'),
    ]);
    await server.close();
    expect(await stripeFindings({ ...KEYS, STRIPE_API_URL: server.url })).toEqual([
      expect.stringContaining('does not answer'),
    ]);
    expect(await stripeFindings({})).toEqual([]);
  });

  test('webhooks of the last day that Stripe could not deliver are reported', async () => {
    let undelivered = 0;
    const server = await listen(
      (request, response) => {
        const { pathname, searchParams } = new URL(request.url!, 'http://stripe.test');
        const isAsked = pathname === '/v1/events' && searchParams.get('delivery_success') === 'false';
        response.end(JSON.stringify({ data: isAsked ? new Array(undelivered).fill({}) : [] }));
      },
      { host: '127.0.0.1', port: 0 },
    );
    const found = () => stripeFindings({ ...KEYS, STRIPE_API_URL: server.url });
    expect(await found()).toEqual([]);
    undelivered = 3;
    expect(await found()).toEqual([expect.stringMatching(/deliver 3 webhooks .* STRIPE_WEBHOOK_SECRET/)]);
    await server.close();
  });

  test('a clock is wrong', () => {
    const now = new Date('2026-11-22T10:00:00Z');
    expect(skewFindings('Sun, 22 Nov 2026 09:59:50 GMT', now)).toEqual([]);
    expect(skewFindings('Sun, 22 Nov 2026 09:58:00 GMT', now)).toEqual([
      expect.stringContaining('120 s off'),
    ]);
  });

  test('a site does not answer', async () => {
    expect(await certificateFindings(`https://127.0.0.1:${await freePort()}`)).toEqual([
      expect.stringContaining('does not answer'),
    ]);
    expect(await certificateFindings('http://localhost:8080')).toEqual([]);
  });
});

describe('the metrics of a service in a container', () => {
  test('are fine', () => {
    expect(figureFindings('orders', 'outbox_age_seconds{service="orders"} 0\n')).toEqual([]);
  });
  test.each([
    ['outbox_age_seconds{service="x"} 75', 'could not publish an event for 75 s'],
    ['events_dead_letters{group="x"} 2', 'gave up 2 events'],
    ['jobs_dead{service="x"} 1', 'gave up 1 jobs'],
    ['events_waiting{group="x"} 101', '101 events wait'],
    ['jobs_waiting{service="x"} 101', '101 jobs of x'],
    ['mails_waiting{service="x"} 300', '300 emails wait'],
    ['transfers_oldest_seconds{service="x"} 90000', 'A bank transfer has waited'],
    ['rates_too_old{service="x"} 2', 'Exchange rates of 2 currencies are too old'],
    ['payments_webhooks_refused_total{service="x"} 4', 'refused 4 webhooks'],
    ['growth_visits_overdue{service="x"} 3', '3 growth visits'],
    ['photos_waiting{service="x"} 200', '200 photos'],
    ['backup_age_seconds{service="x"} 180000', 'No backup was made for 50 hours'],
    ['photos_given_up{service="x"} 3', 'gave up the pictures of 3 photos'],
  ])('%s', (line, sentence) => {
    expect(figureFindings('x', `# HELP\n${line}\n`)).toEqual([expect.stringContaining(sentence)]);
  });
});

const NAMES = [...SERVICES, 'gateway', 'postgres', 'mongodb', 'kafka', 'minio', 'maildev'];

const ready: Answer = { readiness: '{"status":"ready"}', metrics: '' };

const waiting = (...names: string[]): Answer => ({
  readiness: JSON.stringify({ waitingFor: names }),
  metrics: '',
});

function tell(
  states: Record<string, Partial<Container>> = {},
  answers: Record<string, Answer | undefined> = {},
) {
  const containers = NAMES.map((Service) => ({
    Service,
    State: 'running',
    Health: 'healthy',
    ...states[Service],
  }));
  const running = [...SERVICES, 'gateway'].filter((name) => (states[name]?.State ?? 'running') === 'running');
  return findingsOf(
    containers,
    new Map(running.map((name) => [name, name in answers ? answers[name] : ready])),
  );
}

test('healthy containers give no finding', () => expect(tell()).toEqual([]));

test('a stopped engine gives one finding, with all services that wait for it', () => {
  const answers = { auth: waiting('kafka'), orders: waiting('kafka'), media: waiting('kafka') };
  expect(tell({ kafka: { State: 'exited', Health: '' } }, answers)).toEqual([
    'The container kafka does not run: docker compose up --detach kafka; docker compose logs kafka says why it ended. Waiting for it: auth, orders, media.',
  ]);
  expect(tell({ mongodb: { State: 'paused', Health: '' } }, { orders: waiting('mongodb') })).toEqual([
    'The container mongodb is paused: docker compose unpause mongodb. Waiting for it: orders.',
  ]);
});

test('a service that is unhealthy because of an engine gives no finding of its own', () => {
  const ill = { Health: 'unhealthy' };
  const answers = { orders: waiting('kafka'), payments: waiting('kafka') };
  const sick = { orders: ill, payments: ill };
  expect(tell({ ...sick, kafka: { State: 'exited', Health: '' } }, answers)).toEqual([
    expect.stringMatching(/^The container kafka does not run: .* Waiting for it: payments, orders\.$/),
  ]);
  expect(tell(sick, answers)).toEqual([
    expect.stringMatching(/^Cannot use kafka, though it runs: payments, orders\./),
  ]);
});

test('a running engine that cannot be used points to its settings', () => {
  expect(tell({}, { media: waiting('minio'), payments: waiting('minio') })).toEqual([
    expect.stringMatching(
      /^Cannot use minio, though it runs: payments, media\. Check S3_ENDPOINT, .*bucket exists/,
    ),
  ]);
});

test('a service whose data may not be opened gives its own reason', () => {
  const reason = 'The data of orders was written by a version before 1.0.';
  const blocked = { readiness: JSON.stringify({ waitingFor: ['migration'], reason }), metrics: '' };
  expect(tell({ orders: { Health: 'unhealthy' } }, { orders: blocked })).toEqual([reason]);
});

describe('a password that an engine refuses', () => {
  const refusals = { postgres: '28P01', mongodb: 18, kafka: undefined, minio: 'SignatureDoesNotMatch' };
  const refusing = (engine: keyof typeof refusals, service: string, others: string[] = []): Answer => {
    const name = engine === 'kafka' ? 'KafkaJSSASLAuthenticationError' : 'Error';
    const error = Object.assign(new Error('no'), { name, code: refusals[engine] });
    const reason = refusedPassword(service, engine, error);
    return { readiness: JSON.stringify({ waitingFor: [engine, ...others], reason }), metrics: '' };
  };

  const users = (Object.keys(refusals) as (keyof typeof refusals)[]).flatMap((engine) =>
    SERVICES.map((service) => [engine, service] as const),
  );
  test.each(users)(
    '%s of %s is named with its setting, also while the container starts',
    (engine, service) => {
      for (const Health of ['starting', 'unhealthy']) {
        const found = tell({ [service]: { Health } }, { [service]: refusing(engine, service) });
        const setting = `${engine}_${service}_password`.toUpperCase();
        expect(found).toEqual([
          expect.stringMatching(
            new RegExp(
              `^${service} cannot use ${engine}, because it refuses the password .*${setting} in .env`,
            ),
          ),
        ]);
      }
    },
  );

  test('hides nothing about other engines and services', () => {
    const answers = { media: refusing('mongodb', 'media', ['kafka']), orders: waiting('kafka', 'postgres') };
    expect(tell({}, answers)).toEqual([
      expect.stringMatching(/^Cannot use postgres, though it runs: orders\./),
      expect.stringMatching(/^Cannot use kafka, though it runs: orders, media\./),
      expect.stringMatching(/^media cannot use mongodb, .* Check MONGODB_MEDIA_PASSWORD in \.env;/),
    ]);
  });
});

test('containers of another version than this code are reported', () => {
  const gateway = (version: string) => ({ gateway: { ...ready, version: `{"version":"${version}"}` } });
  expect(tell({}, gateway(VERSION))).toEqual([]);
  expect(tell({}, gateway('0.9.9'))).toEqual([
    `Version 0.9.9 runs, and the code here is ${VERSION}: stop it and start this one.`,
  ]);
});

test('stopped containers give one finding', () => {
  const containers = NAMES.map((Service) => ({ Service, State: 'exited', Health: '' }));
  expect(findingsOf(containers, new Map())).toEqual([expect.stringMatching(/^None of the containers runs/)]);
});

test('reports a service that exited, is unhealthy, restarts, starts or does not answer', () => {
  expect(tell({ orders: { State: 'exited', Health: '' } })).toEqual([
    expect.stringMatching(/^The container orders does not run: docker compose up --detach orders/),
  ]);
  expect(tell({ orders: { Health: 'unhealthy' } })).toEqual([
    expect.stringMatching(/^The container orders is unhealthy: docker compose logs orders/),
  ]);
  expect(tell({ orders: { State: 'restarting', Health: '' } })).toEqual([
    expect.stringMatching(/ends as soon as it starts/),
  ]);
  expect(tell({}, { orders: waiting('start') })).toEqual([
    'orders is still starting or stopping: look again in a minute.',
  ]);
  expect(tell({}, { orders: undefined })).toEqual([
    expect.stringMatching(/^orders does not answer inside its container/),
  ]);
});

test('settings are not blamed just after the start', () => {
  const young = { Health: 'starting' };
  const answers = { orders: waiting('mongodb', 'kafka'), payments: waiting('kafka') };
  expect(tell({ orders: young, payments: young }, answers)).toEqual([
    'Still starting, and waiting for mongodb: orders. Look again in a minute.',
    'Still starting, and waiting for kafka: payments, orders. Look again in a minute.',
  ]);
  expect(tell({ kafka: young }, { payments: waiting('kafka') })).toEqual([
    'Still starting, and waiting for kafka: payments. Look again in a minute.',
  ]);
  expect(tell({ orders: young }, { orders: waiting('kafka'), payments: waiting('kafka') })).toEqual([
    expect.stringMatching(/^Cannot use kafka, though it runs: payments\. Check KAFKA_BROKERS/),
  ]);
});

test('the gateway is reported when it is unhealthy itself', () => {
  expect(tell({ gateway: { Health: 'unhealthy' } })).toEqual([
    expect.stringMatching(/^The container gateway is unhealthy/),
  ]);
});

test('reports a stopped replica, and a container that was never created', () => {
  const healthy = NAMES.map((Service) => ({ Service, State: 'running', Health: 'healthy' }));
  const more = [...healthy, { Service: 'orders', State: 'exited', Health: '' }];
  expect(findingsOf(more, new Map())).toHaveLength(1);
  expect(
    findingsOf(
      healthy.filter(({ Service }) => Service !== 'media'),
      new Map(),
    ),
  ).toEqual(['There is no container of media: docker compose up --detach media creates it.']);
});

test("reports a service's metrics with its name", () => {
  const dead = { ...ready, metrics: 'events_dead_letters{group="orders"} 2\n' };
  expect(tell({}, { orders: dead })).toEqual(['orders gave up 2 events: npm run dlq -- list says why.']);
});
