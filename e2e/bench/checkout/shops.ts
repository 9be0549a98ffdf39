import { freePorts } from '@arboleda/postgres/free-ports.ts';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CompetitorName, installCompetitor } from '../competitors/install.ts';
import { CORES, end, pin } from '../processes.ts';
import { byClients, type Competitor } from './competitor.ts';

interface Shop {
  name: CompetitorName;
  /** Beside this one; it is started by the first of them. */
  files: readonly [string, ...string[]];
  databaseUrl: string;
  env?: Readonly<Record<string, string>>;
}

/**
 * A shop that others make, installed when asked for, on the core of what is measured: its program gets a database and a port,
 * and sends a message when it serves.
 * @returns where it serves, and its message
 * @throws when it ends before it serves
 */
async function startShop<Ready>({ name, files, databaseUrl, env }: Shop) {
  const folder = await installCompetitor(name);
  for (const file of files) await copyFile(fileURLToPath(new URL(file, import.meta.url)), join(folder, file));
  const [port] = await freePorts(1);
  const child = fork(join(folder, files[0]), [databaseUrl, String(port)], {
    cwd: folder,
    // Keeps its user settings in its own folder.
    env: { PATH: process.env.PATH, HOME: folder, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`${name} stopped while starting`)));
  const [ready] = (await Promise.race([once(child, 'message'), ended])) as [Ready];
  ended.catch(() => undefined);
  pin(child.pid!, CORES.measured);
  return { url: `http://127.0.0.1:${port}`, ready, stop: () => end(child) };
}

const shopOf = (name: string, buy: () => Promise<void>, stop: () => Promise<void>): Competitor => ({
  name,
  share: 0.25,
  warmsUpBy: 200,
  take: async (orders, clients) => ({ stored: await byClients(orders, clients, buy) }),
  stop,
});

/** Settings that a Medusa storefront needs. */
interface MedusaStore {
  url: string;
  /** Publishable. */
  key: string;
  regionId: string;
  variantId: string;
}

/** Somebody who buys at Medusa's Store API as its storefronts do: a cart, a payment session, the cart completed. */
function openMedusaBuyer({ url, key, regionId, variantId }: MedusaStore) {
  const ask = async (path: string, body: object): Promise<MedusaAnswer> => {
    const response = await fetch(`${url}/store/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-publishable-api-key': key },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${text}`);
    return JSON.parse(text) as MedusaAnswer;
  };

  return async function buy(): Promise<void> {
    const { cart } = await ask('carts', {
      region_id: regionId,
      email: `${crypto.randomUUID()}@bench.test`,
      shipping_address: { first_name: 'Bench', last_name: 'Buyer', address_1: 'Calle 1', country_code: 'es' },
      items: [{ variant_id: variantId, quantity: 5 }],
    });
    const { payment_collection: payment } = await ask('payment-collections', { cart_id: cart!.id });
    await ask(`payment-collections/${payment!.id}/payment-sessions`, { provider_id: 'pp_system_default' });
    const completed = await ask(`carts/${cart!.id}/complete`, {});
    // Medusa answers 200 for a cart that could not be completed, too.
    if (completed.type !== 'order' || !completed.order)
      throw new Error(`a cart ended as ${JSON.stringify(completed)}`);
  };
}

interface MedusaAnswer {
  cart?: { id: string };
  payment_collection?: { id: string };
  type?: 'order' | 'cart';
  order?: { id: string };
}

/** A store of Medusa on a database of its own. */
export async function startMedusa(databaseUrl: string): Promise<Competitor> {
  const { url, ready, stop } = await startShop<Omit<MedusaStore, 'url'>>({
    name: 'medusa',
    files: ['medusa-shop.js', 'medusa-config.js'],
    env: { LOG_LEVEL: 'error', MEDUSA_DISABLE_TELEMETRY: 'true' },
    databaseUrl,
  });
  return shopOf('Medusa', openMedusaBuyer({ url, ...ready }), stop);
}

/** Somebody who buys at Vendure's Shop API as its storefronts do: a session, a cart, an address, a payment. */
function openVendureBuyer(url: string, variantId: string) {
  let method: Promise<string> | undefined;

  return async function buy(): Promise<void> {
    let session: string | undefined;
    const ask = async (query: string): Promise<Record<string, VendureAnswer>> => {
      const response = await fetch(`${url}/shop-api`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(session && { authorization: `Bearer ${session}` }),
        },
        body: JSON.stringify({ query }),
      });
      const { data, errors } = (await response.json()) as {
        data?: Record<string, VendureAnswer>;
        errors?: unknown;
      };
      const wrong = Object.values(data ?? {}).find((answer) => !Array.isArray(answer) && answer.errorCode);
      if (!data || errors || wrong) throw new Error(`${query}: ${JSON.stringify(errors ?? wrong)}`);
      session = response.headers.get('vendure-auth-token') ?? session;
      return data;
    };
    const mutate = (what: string) => ask(`mutation { ${what} { __typename ${RESULT} } }`);

    await mutate(`addItemToOrder(productVariantId: "${variantId}", quantity: 5)`);
    await mutate(`setCustomerForOrder(input: {
      emailAddress: "${crypto.randomUUID()}@bench.test", firstName: "Bench", lastName: "Buyer" })`);
    await mutate('setOrderShippingAddress(input: { streetLine1: "Calle 1", countryCode: "ES" })');
    method ??= ask('{ eligibleShippingMethods { id } }').then(
      (data) => (data.eligibleShippingMethods as VendureAnswer[])[0]!.id!,
    );
    await mutate(`setOrderShippingMethod(shippingMethodId: ["${await method}"])`);
    await mutate('transitionOrderToState(state: "ArrangingPayment")');
    const { addPaymentToOrder: paid } = await mutate(
      'addPaymentToOrder(input: { method: "dummy", metadata: {} })',
    );
    if ((paid as VendureAnswer).state !== 'PaymentSettled')
      throw new Error(`an order ended as ${JSON.stringify(paid)}`);
  };
}

const RESULT = '... on Order { state } ... on ErrorResult { errorCode message }';

interface VendureAnswer {
  id?: string;
  state?: string;
  errorCode?: string;
}

/** A shop of Vendure on a database of its own. */
export async function startVendure(databaseUrl: string): Promise<Competitor> {
  const { url, ready, stop } = await startShop<{ variantId: string }>({
    name: 'vendure',
    files: ['vendure-shop.js'],
    databaseUrl,
  });
  return shopOf('Vendure', openVendureBuyer(url, ready.variantId), stop);
}
