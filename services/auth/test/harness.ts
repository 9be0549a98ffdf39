import { freePort } from '@arboleda/chassis/testing/free-port.ts';
import { testServiceConfig } from '@arboleda/chassis/testing/config.ts';
import { startTestIdentity } from '@arboleda/chassis/testing/identity.ts';
import { openTestPlatform } from '@arboleda/chassis/testing/platform.ts';
import { probeEvents } from '@arboleda/chassis/testing/probe.ts';
import { request, type RequestParts } from '@arboleda/chassis/testing/request.ts';
import type { Endpoints } from '@arboleda/contracts/endpoints/index.ts';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { PasswordCost } from '../passwords/passwords.ts';
import { startAuth } from '../service.ts';

export const PASSWORD = 'el roble y la ceiba';
const QUICK = { memoryKib: 64, passes: 1 };

/** Auth on a database of its own. It verifies its own tokens, so its address must be known before it starts. */
export async function openHarness() {
  const [platform, identity] = await Promise.all([openTestPlatform(), startTestIdentity()]);
  const database = new pg.Client({ connectionString: platform.databaseUrl });
  await database.connect();
  const events = await probeEvents(platform, [
    'customer.registered',
    'customer.erased',
    'email.verification_requested',
    'email.change_requested',
    'email.changed',
    'password.reset_requested',
    'password.changed',
    'worker.invited',
    'worker.registered',
    'worker.updated',
  ]);
  let now = () => new Date();
  const running: { url: string; close(): Promise<void> }[] = [];

  const start = async (passwordCost: PasswordCost = QUICK) => {
    const port = await freePort();
    const jwksUrl = `http://127.0.0.1:${port}/internal/jwks`;
    const config = { ...testServiceConfig({ databaseUrl: platform.databaseUrl, jwksUrl }), port };
    const secondFactorKey = 'a key that only the tests know of, too';
    const service = await startAuth({ ...config, passwordCost, secondFactorKey }, { platform, clock: () => now() });
    running.push(service);
    return service;
  };
  const { url } = await start();

  const call = (key: keyof Endpoints, parts: RequestParts = {}) => request(url, key, parts);
  /** Every call from an address of its own, unless one is said: limits are tested where they are meant. */
  const from = (address: string) => ({ 'X-Forwarded-For': address });

  return {
    url,
    call,
    events,
    identity,
    start,
    platform,
    /** Rows of auth's own tables. */
    query: (text: string, values: unknown[] = []) => database.query(text, values),
    setClock: (clock: () => Date) => void (now = clock),

    async register(changes: { name?: string; email?: string; password?: string; locale?: string } = {}) {
      const body = { name: 'Lucía Peña', email: newEmail(), password: PASSWORD, ...changes };
      return { ...(await call('POST /api/auth/customer/register', { body })), sent: body };
    },
    logIn: (
      role: 'customer' | 'admin' | 'worker',
      email: string,
      password = PASSWORD,
      address = newAddress(),
      at = url,
    ) => request(at, `POST /api/auth/${role}/login`, { body: { email, password }, headers: from(address) }),
    /** The token that was mailed to an address last. */
    mailedToken: async (email: string) =>
      (await events.next('email.verification_requested', ({ data }) => data.email === email)).data.token,
    putAccount: async (body: Record<string, unknown>, at = url) =>
      request(at, 'PUT /internal/accounts', {
        body: { role: 'admin', name: 'Some Body', email: newEmail(), password: PASSWORD, ...body },
        token: await identity.serviceToken('auth'),
      }),

    async close() {
      for (const one of running.reverse()) await one.close();
      await database.end();
      await platform.close();
      await identity.close();
    },
  };
}

export const newEmail = (): string => `${randomUUID().slice(0, 8)}@example.org`;

let addresses = 0;
export const newAddress = (): string => `10.0.${(addresses >> 8) & 255}.${addresses++ & 255}`;
