import { openClient } from '@arboleda/contracts/client.ts';
import type { Language } from '@arboleda/contracts/roles.ts';
import { DEMO_ADMIN } from '@arboleda/cli/demo/accounts.ts';
import { afterAll, beforeAll } from '@jest/globals';
import { randomInt } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { type Driver, openDriver, type Purchase, type StartedPayment } from '@arboleda/cli/demo/driver.ts';
import { totp } from '../driver/totp.ts';
import { putAccount } from '../harness/accounts.ts';
import { connectBrowser } from '../harness/browser.ts';
import { type Inbox, openInbox } from '../harness/inbox.ts';
import type { Product, Running } from '../harness/product.ts';

/** The product that all files share, and the browser. */
export interface Setup {
  product: Running;
  inbox: Inbox;
  driver: Driver;
  browser: Browser;
  /** Logs an admin of the demo in, once. */
  admin(): Promise<string>;
}

/** Somebody with an account of their own. */
export interface Person {
  name: string;
  email: string;
  password: string;
}

export interface FieldWorker extends Person {
  code: string;
  token: string;
}

/** An order that a worker is to plant. */
export interface GivenOrder extends StartedPayment {
  email: string;
  assignmentId: string;
}

export const PASSWORD = 'siembra-lluvia-2048';

/** Connects a test file to the product that is running. */
export function useSetup(): Setup {
  const { product, wsEndpoint } = JSON.parse(process.env.BROWSER_SETUP!) as {
    product: Omit<Product, 'callAuth'>;
    wsEndpoint: string;
  };
  const setup = setupOf({ ...product, callAuth: openClient(product.authUrl) });
  beforeAll(async () => {
    setup.browser = await connectBrowser(wsEndpoint);
  });
  afterAll(() => setup.browser?.close());
  return setup;
}

/** The browser is still to come. */
export function setupOf(product: Running): Setup {
  const driver = openDriver(product);
  let admin: Promise<string> | undefined;
  return {
    product,
    driver,
    inbox: openInbox(product.inboxUrl),
    browser: undefined as unknown as Browser,
    admin: () => (admin ??= driver.logIn('admin', DEMO_ADMIN.email, product.demoPassword)),
  };
}

export async function makeAdmin({ product }: Setup, email: string, name = 'Carolina Mesa'): Promise<Person> {
  const admin = { name, email, password: PASSWORD };
  await putAccount(product, { role: 'admin', ...admin, emailVerified: true });
  return admin;
}

/** An owner with two-factor login, without whom the last other one could not turn it off. */
export async function makeOwner(
  setup: Setup,
  email: string,
  name?: string,
): Promise<Person & { recoveryCodes: string[] }> {
  const { call, logIn } = setup.driver;
  const owner = await makeAdmin(setup, email, name);
  const token = await logIn('admin', email, PASSWORD);
  const { secret } = await call('POST /api/auth/admin/second-factor', {
    token,
    body: { currentPassword: PASSWORD },
  });
  const body = { code: totp(secret, Date.now()) };
  const { recoveryCodes } = await call('POST /api/auth/admin/second-factor/confirm', { token, body });
  return { ...owner, recoveryCodes };
}

export async function makeCustomer(
  { product }: Setup,
  email: string,
  language: Language = 'en',
): Promise<Person> {
  const customer = { name: 'María Fernanda Echeverri-Londoño de Peña', email, password: PASSWORD };
  await putAccount(product, { role: 'customer', ...customer, emailVerified: true, language });
  return customer;
}

/** A worker who gets what a test gives them, and nothing by itself: they have room for no trees. */
export async function makeWorker({ product, driver }: Setup, name = 'Rosa Quintana'): Promise<FieldWorker> {
  const code = `QU-${randomInt(1_000_000, 10_000_000)}`;
  const worker = { name, email: `${code.toLowerCase()}@field.test`, password: PASSWORD };
  await putAccount(product, {
    role: 'worker',
    ...worker,
    emailVerified: true,
    worker: { code, region: 'Quindío', capacityTrees: 0 },
  });
  return { ...worker, code, token: await driver.logIn('worker', worker.email, PASSWORD) };
}

/** Buys an order and gives it to a worker. */
export async function orderFor(
  { driver, admin }: Setup,
  worker: FieldWorker,
  email: string,
  purchase?: Purchase,
): Promise<GivenOrder> {
  const bought = await driver.buy(email, purchase);
  const assignmentId = await driver.give(await admin(), bought.orderId, worker.email, worker.token);
  return { ...bought, email, assignmentId };
}

/** The link of a mail that leads there, with its secret. */
export const linkIn = (text: string, path: string): string =>
  new RegExp(`https?://\\S+${path}#\\S+`).exec(text)![0].replace(/[).>]+$/, '');
