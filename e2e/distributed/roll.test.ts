import { DEMO_ADMIN, DEMO_WORKERS } from '@arboleda/cli/demo/accounts.ts';
import { openDriver, type StartedPayment } from '@arboleda/cli/demo/driver.ts';
import { SERVICES } from '@arboleda/contracts/services.ts';
import { VERSION } from '@arboleda/contracts/version.ts';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { type Composed, startCompose } from '../harness/compose.ts';
import { waitFor } from '../harness/wait.ts';
import { askDoctor, runCommand } from './operator.ts';
import { amongTraffic, expectOneOrderEach, type Traffic } from './traffic.ts';
import { type Edition, openVersions, type Versions } from './versions.ts';

/** Each of seven services comes up once more beside the old one, which then drains. */
const ROLLED_WITHIN_MS = 900_000;
const PLANTED_WITHIN_MS = 90_000;
jest.setTimeout(ROLLED_WITHIN_MS);

/** What people see of a planted order. */
type Seen = Awaited<ReturnType<typeof see>>;

let versions: Versions;
let product: Composed;
/** What was bought and planted on either version, to be seen on the other. */
const bought: Traffic[] = [];
const planted: { order: StartedPayment; seen: Seen }[] = [];

beforeAll(async () => {
  versions = await openVersions();
  const { files, revision } = versions.last;
  const settings = { RATE_LIMIT_SCALE: '1000', ARBOLEDA_REVISION: revision };
  product = await startCompose(settings, files);
  await compose(versions.today, 'build', '--build-arg', `ARBOLEDA_REVISION=${versions.today.revision}`);
}, 1_800_000);
afterAll(async () => {
  await product?.down();
  await versions?.remove();
}, 300_000);

const optionsOf = ({ files }: Edition) => [
  ...['-p', product.project, '--env-file', product.envFile],
  ...files.flatMap((file) => ['-f', file]),
];
const compose = (edition: Edition, ...args: string[]) =>
  product.docker('compose', ...optionsOf(edition), ...args);

/** Of which code each container is, by its image. */
async function running(): Promise<Record<string, string>> {
  const ids = (await product.compose('ps', '--quiet', 'gateway', ...SERVICES)).trim().split('\n');
  const label = (name: string) => `{{index .Config.Labels "${name}"}}`;
  const format = `${label('com.docker.compose.service')} ${label('org.opencontainers.image.revision')}`;
  const lines = (await product.docker('inspect', '--format', format, ...ids)).trim().split('\n');
  return Object.fromEntries(lines.map((line) => line.split(' ')));
}

const each = (services: Edition, gateway: Edition) =>
  Object.fromEntries([
    ['gateway', gateway.revision],
    ...SERVICES.map((name) => [name, services.revision] as const),
  ]);

const version = async () =>
  ((await (await fetch(`${product.url}/api/version`)).json()) as { version: string }).version;

async function see(order: StartedPayment) {
  const shown = await openDriver(product).untilVisible(order);
  const { status, trees, amount, plantingDate, coordinates, location } = shown;
  return { status, trees, amount, plantingDate, coordinates, location };
}

async function plantOne(): Promise<void> {
  const driver = openDriver(product, { withinMs: PLANTED_WITHIN_MS });
  const logIn = (role: 'admin' | 'worker', email: string) => driver.logIn(role, email, product.demoPassword);
  const [admin, worker] = [await logIn('admin', DEMO_ADMIN.email), DEMO_WORKERS[0]!.email];
  const token = await logIn('worker', worker);
  const order = await driver.buy('planted@mail.test');
  await driver.plant(token, await driver.give(admin, order.orderId, worker, token), {
    location: 'El Mirador',
  });
  const seen = await waitFor(
    'the order to be planted',
    async () => {
      const now = await see(order);
      return now.status === 'planted' && now;
    },
    PLANTED_WITHIN_MS,
  );
  expect(seen).toMatchObject({ location: 'El Mirador', coordinates: expect.anything() });
  planted.push({ order, seen });
}

/** Each payment is one order, and each planted one as it was, whichever version made and shows it. */
async function expectAllOrders(): Promise<void> {
  for (const one of bought) await expectOneOrderEach(product, one);
  for (const { order, seen } of planted) expect(await see(order)).toEqual(seen);
}

/** `npm run roll`, as the operator of that version runs it, among calls of which none may fail. */
async function roll(edition: Edition): Promise<void> {
  await plantOne();
  const traffic = await amongTraffic(product, {}, async ({ paid }) => {
    await waitFor('traffic', async () => paid.length > 2);
    const { code, said } = await runCommand(product, ['infra/docker/roll.ts'], edition);
    if (code !== 0) throw new Error(`the roll failed:\n${said}`);
    const before = paid.length;
    await waitFor('traffic on the other version', async () => paid.length > before + 5);
  });
  const { calls, failures } = traffic;
  expect({ calls: calls > 500, failures }).toEqual({ calls: true, failures: [] });
  bought.push(traffic);
  await expectAllOrders();
}

/** Not rolled, because two cannot share its port. */
async function replaceGateway(edition: Edition): Promise<void> {
  await compose(edition, 'up', '--detach', '--wait', '--no-deps', 'gateway');
  await waitFor('every service behind the gateway', async () => (await fetch(`${product.url}/readyz`)).ok);
}

test('every service is rolled from the last release to today’s code without a failed call', async () => {
  const { last, today, released } = versions;
  expect(await running()).toEqual(each(last, last));
  expect(await version()).toBe(released);
  await roll(today);
  expect(await running()).toEqual(each(today, last));
  await replaceGateway(today);
  expect(await version()).toBe(VERSION);
  expect(await askDoctor(product)).toEqual([]);
});

test('and back again, behind today’s gateway', async () => {
  const { last, today, released } = versions;
  expect(await running()).toEqual(each(today, today));
  await roll(last);
  expect(await running()).toEqual(each(last, today));
  await replaceGateway(last);
  expect(await version()).toBe(released);
  await expectAllOrders();
});
