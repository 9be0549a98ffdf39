import { storyText } from '@arboleda/cli/follow/story.ts';
import { readLogLine } from '@arboleda/cli/logs.ts';
import { AUDITED_SERVICES } from '@arboleda/contracts/audit.ts';
import { SERVICES } from '@arboleda/contracts/services.ts';
import type { Letter } from '@arboleda/chassis/dead-letters/dead-letters.ts';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { Browser } from 'playwright-core';
import { followTheLine } from '../browser/line.ts';
import { setupOf } from '../browser/setup.ts';
import { openDriver } from '@arboleda/cli/demo/driver.ts';
import { launchBrowser } from '../harness/browser.ts';
import { waitFor } from '../harness/wait.ts';
import { useCompose } from './composed.ts';
import { askDoctor, runCommand } from './operator.ts';

jest.setTimeout(300_000);

const product = useCompose();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

describe('docker compose up', () => {
  test('is one healthy container of each service, none of which is root', async () => {
    const users = await product.exec('orders', ['sh', '-c', 'id -u; touch /app/x || true']);
    expect(Number.parseInt(users, 10)).toBeGreaterThan(0);
    for (const service of [...SERVICES, 'gateway']) expect(await product.replicas(service)).toBe(1);
    await waitFor('everything to be ready', async () => (await fetch(`${product.url}/readyz`)).ok);
    expect((await fetch(`${product.url}/metrics`)).headers.get('content-type')).not.toMatch(/text\/plain/);
  });

  test('is well, the doctor says', async () => {
    expect(await askDoctor(product)).toEqual([]);
  });

  test('sells trees by card, which are planted, photographed and completed; donor and admin see it', () =>
    followTheLine(
      { ...setupOf(product), browser },
      { language: 'en', width: 1280, trees: 5, currency: 'USD', amount: '20.00' },
    ));
});

describe('one order', () => {
  test('is followed from its payment to its receipt through the logs of all services', async () => {
    const { orderId } = await openDriver(product).buy('followed@mail.test');
    const story = await waitFor('its receipt', async () => {
      const logs = await product.compose('logs', '--no-color', '--no-log-prefix');
      const lines = logs.split('\n').map(readLogLine);
      const text = storyText(
        lines.filter((line) => line !== undefined),
        orderId,
      );
      return text.includes('kind receipt') && text;
    });
    expect(story).toMatch(
      /POST \/api\/payments\/stripe-webhook 200[^]+payment\.succeeded → orders [^]+order\.created → [^]+mail was sent, kind receipt/,
    );
  });
});

describe('the audit log', () => {
  const verify = () => runCommand(product, ['infra/cli/audit.ts', 'verify']);
  const inOrders = (sql: string) =>
    product.exec('postgres', ['psql', '--username=postgres', '--dbname=orders', '-c', sql]);

  test('is verified in each service, and a deleted row is named', async () => {
    const { code, said } = await verify();
    expect({ code, said }).toMatchObject({ code: 0 });
    for (const service of AUDITED_SERVICES) expect(said).toMatch(new RegExp(`^${service} .+ whole `, 'm'));
    await inOrders('create table kept as select * from orders._audit_log where seq = 1');
    await inOrders('delete from orders._audit_log where seq = 1');
    const found = await verify();
    const columns = 'seq, entry, previous_hash, hash';
    await inOrders(`insert into orders._audit_log (${columns}) select ${columns} from kept; drop table kept`);
    expect(found).toMatchObject({ code: 1, said: expect.stringContaining('orders: row 1 is missing') });
    expect(await verify()).toMatchObject({ code: 0 });
  });
});

/** What one service tries with its own users, or those in `env`, where others may do it. @returns the answers */
const tryIn = (service: string, code: string, env: Record<string, string | undefined> = {}) =>
  product.exec(
    service,
    ['node', '--input-type=module', '--eval', attempt(code)],
    ...Object.entries(env).map(([name, value]) => `--env=${name}=${value}`),
  );

const attempt = (code: string): string => `
    const { openLogger } = await import('/app/infra/chassis/log.ts');
    const { openKafkaClient } = await import('/app/infra/chassis/adapters/kafka/client.ts');
    const { openMinioObjects } = await import('/app/infra/chassis/adapters/minio/minio.ts');
    const { KAFKA_BROKERS: broker, KAFKA_USERNAME: username, KAFKA_PASSWORD: password } = process.env;
    const sasl = { mechanism: 'plain', username, password };
    const kafka = () => openKafkaClient({ brokers: [broker], ssl: false, sasl }, openLogger('test', 'silent'));
    const { S3_ENDPOINT: endpoint, S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey } = process.env;
    const objects = (bucket) =>
      openMinioObjects({ endpoint, accessKey, secretKey, region: 'us-east-1', bucket: 'arboleda-' + bucket });
    const message = { topic: 'payment.succeeded', key: 'x', value: '{}' };
    await (async () => ${code})().then(() => console.log('done'), (error) => console.log(error.type ?? error.code ?? error.message));
    process.exit(0);`;

describe('a service with its own users', () => {
  test.each([
    ['media', 'says what payments alone say', 'kafka().send([message])'],
    ['orders', 'says what payments alone say', 'kafka().send([message])'],
    [
      'payments',
      'reads what is said of passwords',
      `kafka().read([{ topic: 'password.reset_requested', partition: 0, low: 0, high: 1 }])`,
    ],
    ['payments', 'reads the dead letters of mails', `kafka().spans(['notifications.dead-letters'])`],
  ])('%s never %s', async (service, _what, code) => {
    expect(await tryIn(service, code)).toMatch(/authoriz/i);
  });

  test.each([
    ['media', 'payments'],
    ['payments', 'media'],
  ])('%s finds nothing in the bucket of %s', async (service, other) => {
    expect(await tryIn(service, `objects('${service}')`)).toBe('done\n');
    expect(await tryIn(service, `objects('${other}')`)).toMatch(/denied|forbidden/i);
  });
});

describe('the users of Prometheus and its exporters', () => {
  const secrets = () => parseEnv(readFileSync(product.envFile, 'utf8'));

  test('read the figures of PostgreSQL, and reach no database of a service', async () => {
    const ask = (database: string) =>
      product.exec(
        'postgres',
        [
          'psql',
          ...['--host', 'postgres', '--username', 'monitoring', '--dbname', database],
          ...['--tuples-only', '--no-align', '--command', 'select count(state) > 1 from pg_stat_activity'],
        ],
        `--env=PGPASSWORD=${secrets().POSTGRES_MONITORING_PASSWORD}`,
      );
    expect(await ask('postgres')).toBe('t\n');
    await expect(ask('orders')).rejects.toThrow(/permission denied/);
  });

  test('describe the topics of Kafka, and read no event', async () => {
    const env = { KAFKA_USERNAME: 'monitoring', KAFKA_PASSWORD: secrets().KAFKA_MONITORING_PASSWORD };
    expect(await tryIn('orders', `kafka().spans(['order.created'])`, env)).toBe('done\n');
    const read = `kafka().read([{ topic: 'order.created', partition: 0, low: 0, high: 1 }])`;
    // It has no right to a consumer group, so it does not even find the group's coordinator.
    expect(await tryIn('orders', read, env)).toMatch(/authoriz|group coordinator/i);
  });

  test('read the figures of the object store, and list no bucket', async () => {
    const { MINIO_METRICS_TOKEN: token, MINIO_MONITORING_PASSWORD: password } = secrets();
    const figures = `(async () => {
      const headers = { Authorization: 'Bearer ${token}' };
      const answer = await fetch('http://minio:9000/minio/v2/metrics/cluster', { headers });
      if (!/^minio_cluster_capacity_usable_free_bytes/m.test(await answer.text())) throw new Error(answer.status);
    })()`;
    expect(await tryIn('media', figures)).toBe('done\n');
    const env = { S3_ACCESS_KEY: 'monitoring', S3_SECRET_KEY: password };
    expect(await tryIn('media', `objects('media')`, env)).toMatch(/denied|forbidden/i);
  });
});

/** Of a program of Kafka's own. */
function asAdmin(): string {
  const { KAFKA_ADMIN_PASSWORD } = parseEnv(readFileSync(product.envFile, 'utf8'));
  const jaas = `org.apache.kafka.common.security.plain.PlainLoginModule required username=admin password="${KAFKA_ADMIN_PASSWORD}";`;
  const properties = ['security.protocol=SASL_PLAINTEXT', 'sasl.mechanism=PLAIN', `sasl.jaas.config=${jaas}`];
  return properties.map((property) => `--producer-property '${property}'`).join(' ');
}

describe('a message that is no event', () => {
  const dlq = (...args: string[]) =>
    product.exec('orders', ['node', 'infra/chassis/dead-letters/main.ts', ...args]);
  const lettersOfOrders = async () =>
    (JSON.parse(await dlq('list', '--owner', 'orders', '--json')) as Letter[]).filter(
      ({ kind }) => kind === 'event',
    );

  test('lies among the dead letters with its reason, and the others flow on; replayed, it dies again', async () => {
    const produce = `/opt/kafka/bin/kafka-console-producer.sh --bootstrap-server localhost:9092 --topic payment.succeeded ${asAdmin()}`;
    await product.exec('kafka', ['bash', '-c', `echo 'no event' | ${produce}`]);
    const [letter] = await waitFor('a dead letter', async () => {
      const letters = await lettersOfOrders();
      return letters.length > 0 && letters;
    });
    expect(letter).toMatchObject({
      owner: 'orders',
      what: 'unreadable',
      error: expect.stringMatching(/JSON/),
    });
    await openDriver(product).buy('after@mail.test');
    expect(await dlq('replay', letter!.id)).toBe(`${letter!.id} is on its way again.\n`);
    await waitFor('another dead letter', async () => {
      const [again] = await lettersOfOrders();
      return again !== undefined && again.id !== letter!.id;
    });
  });
});
