import { type Answer, request, type RequestParts } from '@arboleda/chassis/testing/request.ts';
import type { Endpoints } from '@arboleda/contracts/endpoints/index.ts';
import type { Role } from '@arboleda/contracts/roles.ts';
import { randomInt } from 'node:crypto';
import pg from 'pg';
import { putAccount } from '../../harness/accounts.ts';
import { type Driver, openDriver } from '../../driver/driver.ts';
import { openProvider, type ProviderState } from '../../driver/provider.ts';
import { openDataDir, type Product, startProduct } from '../../harness/product.ts';
import { type Rows, settled } from '../settled.ts';

export const PASSWORD = 'guadua-cedro-7310';

const ENVIRONMENT = {
  RATE_LIMIT_SCALE: '0',
  TRANSFERS_OF_EMAIL_A_DAY: '100000',
  EVIDENCE_MAX_MB_OF_NETWORK: '100000',
  PHOTO_MAIL_DELAY_SECONDS: '0',
  TRANSFER_SECOND_ADMIN_ABOVE_USD: '500',
  // Thousands of log-ins are not what is looked at.
  AUTH_PASSWORD_MEMORY_KIB: '64',
  AUTH_PASSWORD_PASSES: '1',
  // Each client has its own address.
  TRUSTED_PROXIES: '127.0.0.1',
};

/** A running product, and the sight of what it stores that does not go through it. */
export interface World {
  product: Product;
  driver: Driver;
  /** A call from an address of its own. */
  call(key: keyof Endpoints, parts?: RequestParts): Promise<Answer>;
  /** Makes somebody, with `PASSWORD`. */
  put(role: Role, email: string, worker?: { code: string }): Promise<string>;
  token(role: Role, email: string): Promise<string>;
  /** Reads what is stored. */
  rows: Rows;
  /** State of the card provider. */
  provider(): Promise<ProviderState>;
  /** Resolves when everything that was begun is finished: nothing is waiting to be published or handled. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

export async function openWorld(): Promise<World> {
  const data = await openDataDir();
  const product = await startProduct(data.path, ENVIRONMENT);
  const pool = new pg.Pool({ connectionString: product.databaseUrl, max: 2 });
  const rows: Rows = async (text, values = []) => (await pool.query(text, [...values])).rows;
  const call: World['call'] = (key, parts = {}) =>
    request(product.url, key, { ...parts, headers: { 'X-Forwarded-For': anAddress(), ...parts.headers } });
  const token: World['token'] = async (role, email) => {
    const answer = await call(`POST /api/auth/${role}/login`, { body: { email, password: PASSWORD } });
    if (answer.status !== 200) throw new Error(`log-in of ${email}: ${answer.status}`);
    return answer.body.token;
  };
  return {
    product,
    driver: openDriver(product),
    call,
    async put(role, email, worker) {
      const account = { role, name: 'Rosa Prueba', email, password: PASSWORD, emailVerified: true };
      await putAccount(product, {
        ...account,
        ...(worker && { worker: { code: worker.code, region: 'Quindío', capacityTrees: 1_000_000 } }),
      });
      return token(role, email);
    },
    token,
    rows,
    provider: () => openProvider(product).state(),
    settled: () => settled(rows),
    async close() {
      await pool.end();
      await product.stop();
      await data.remove();
    },
  };
}

/** Wrong guesses are counted by network: everybody comes from another one. */
const anAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
