import { backUpContainers, restoreContainers } from '@arboleda/cli/backup/containers.ts';
import { backUp, restore } from '@arboleda/cli/backup/embedded.ts';
import { openDriver } from '@arboleda/cli/demo/driver.ts';
import { SQL_SERVICES } from '@arboleda/contracts/services.ts';
import { clearPostgres, startPostgres } from '@arboleda/postgres/postgres.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { type Composed, startCompose } from '../harness/compose.ts';
import { openDatabase } from '../harness/database.ts';
import { openDataDir, type Product, startProduct } from '../harness/product.ts';
import { waitFor } from '../harness/wait.ts';
import { type Ask, compare, type Fingerprint, ofTables } from '../safety/rehearsal/fingerprint.ts';
import { differences, unpacked } from '../safety/releases/compare.ts';
import { atGateway, calm, type Expected } from '../safety/releases/fixture.ts';
import { ENVIRONMENT } from '../safety/releases/installation.ts';
import { type Seen, seeAgain } from '../safety/releases/see.ts';

const FIXTURE = join(import.meta.dirname, '..', 'safety', 'releases', '1.0.0');
/** Queues, events that wait, and tables that each tier has of its own. */
const OF_THE_TIER = /^(graphile_worker|chassis)\.|_outbox$|rate_limits$|^media\./;
const CAUGHT_UP_WITHIN_MS = 180_000;

let data: Awaited<ReturnType<typeof openDataDir>>;
let product: Composed;
beforeAll(async () => {
  data = await openDataDir();
  // Containers refuse passwords that are as cheap to compute as the fixture's.
  const { AUTH_PASSWORD_MEMORY_KIB: _memory, AUTH_PASSWORD_PASSES: _passes, ...settings } = ENVIRONMENT;
  product = await startCompose({ ...settings, RATE_LIMIT_SCALE: '1000' });
}, 900_000);
afterAll(async () => {
  await product?.down();
  for (const name of ['before', 'after']) await clearPostgres(join(data.path, name, 'postgres'));
  await data?.remove();
}, 120_000);

const at = (name: string) => join(data.path, name);

/** Runs the product on a folder for as long as `work` takes. */
async function running(name: string, work: (product: Product) => Promise<void>): Promise<void> {
  const here = atGateway(await startProduct(at(name), ENVIRONMENT));
  try {
    await calm(here);
    await work(here);
    await calm(here);
  } finally {
    await here.stop();
  }
}

/** The rows of a folder of which nothing runs, as PostgreSQL sums them. */
async function rowsOf(name: string): Promise<Fingerprint> {
  const { postgresPassword: password } = JSON.parse(await readFile(join(at(name), 'secrets.json'), 'utf8'));
  await mkdir(join(at(name), 'logs'), { recursive: true });
  const postgres = await startPostgres({
    dir: join(at(name), 'postgres'),
    logFile: join(at(name), 'logs', 'postgres.log'),
    password,
  });
  try {
    await using database = await openDatabase(postgres.url);
    return await ofTables(async (text) => {
      const { rows } = await database.query<unknown[]>({ text, rowMode: 'array' });
      return rows.map((row) => row.join('|'));
    });
  } finally {
    await postgres.close();
  }
}

/** The rows of all databases of the containers. */
async function rowsOfContainers(): Promise<Fingerprint> {
  const found: Fingerprint = new Map();
  for (const service of SQL_SERVICES) {
    const psql = ['psql', '--username', 'postgres', '--tuples-only', '--no-align', '--dbname', service];
    const ask: Ask = async (sql) =>
      (await product.exec('postgres', [...psql, '--command', sql])).split('\n').filter(Boolean);
    for (const [table, sum] of await ofTables(ask))
      if (table.startsWith(`${service}.`)) found.set(table, sum);
  }
  return found;
}

test('an installation moves from npm start to docker compose and back, with all that people see', async () => {
  const { madeAt, keys, seen } = JSON.parse(
    await readFile(join(FIXTURE, 'expected.json'), 'utf8'),
  ) as Expected;
  const requests = Object.keys(unpacked(seen));
  await restore({ DATA_DIR: at('before') }, join(FIXTURE, 'backup'));
  let expected: Seen = {};
  await running('before', async (here) => {
    await openDriver(here).buy('moves@fixture.test', { trees: 5 });
    await calm(here);
    expected = await seeAgain(here.url, keys, requests);
  });
  const before = await rowsOf('before');
  await backUp({ DATA_DIR: at('before') }, at('first backup'));

  const installation = { project: product.project, envFile: product.envFile };
  await product.compose('down', '--volumes', '--timeout', '20');
  await restoreContainers(installation, at('first backup'), { isMoved: true });
  expect(compare(before, await rowsOfContainers(), OF_THE_TIER).differences).toEqual([]);
  await product.compose('up', '--detach', '--wait');
  await waitFor('every service', async () => (await fetch(`${product.url}/readyz`)).ok, CAUGHT_UP_WITHIN_MS);
  expect(differences(expected, await seeAgain(product.url, keys, requests), madeAt)).toEqual([]);
  const { STRIPE_SANDBOX_PUBLISHABLE_KEY: stripePublishableKey } = parseEnv(
    await readFile(product.envFile, 'utf8'),
  );
  const driver = openDriver({ ...product, stripePublishableKey: stripePublishableKey! });
  const bought = await driver.buy('arrived@fixture.test', { trees: 5 });
  const { funded } = expected['anybody GET /api/stats'] as { funded: number };
  // They are kept for a while.
  await waitFor(
    'the figures to follow',
    async () => (await driver.call('GET /api/stats')).funded > funded,
    CAUGHT_UP_WITHIN_MS,
  );
  await untilStill();
  // An authenticator's code works once, and has shown that it does here.
  const withPasswords = requests.filter((request) => !request.startsWith('twoFactor '));
  expected = await seeAgain(product.url, keys, withPasswords);

  await product.compose('stop', 'gateway');
  const still = await untilStill();
  await backUpContainers(installation, at('second backup'));
  await restore({ DATA_DIR: at('after') }, at('second backup'), { isMoved: true });
  expect(compare(still, await rowsOf('after'), OF_THE_TIER).differences).toEqual([]);
  await running('after', async (here) => {
    expect(differences(expected, await seeAgain(here.url, keys, withPasswords), madeAt)).toEqual([]);
    expect(await openDriver(here).isVisible(bought.orderToken)).toBe(true);
  });
}, 1_200_000);

/** Asked until two answers are alike. */
async function untilStill(): Promise<Fingerprint> {
  let last = await rowsOfContainers();
  await waitFor(
    'nothing to move',
    async () => {
      const next = await rowsOfContainers();
      const { differences: moved } = compare(last, next, OF_THE_TIER);
      last = next;
      return moved.length === 0;
    },
    CAUGHT_UP_WITHIN_MS,
  );
  return last;
}
