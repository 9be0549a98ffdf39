import { freePort } from '@arboleda/chassis/testing/free-port.ts';
import { TEST_MAIL_TOKENS, testServiceConfig } from '@arboleda/chassis/testing/config.ts';
import { migratedTemplate } from '@arboleda/chassis/testing/database.ts';
import { startTestIdentity } from '@arboleda/chassis/testing/identity.ts';
import { openTestPlatform } from '@arboleda/chassis/testing/platform.ts';
import { probeEvents } from '@arboleda/chassis/testing/probe.ts';
import { request, type RequestParts } from '@arboleda/chassis/testing/request.ts';
import type { Endpoints } from '@arboleda/contracts/endpoints/index.ts';
import type { Role } from '@arboleda/contracts/roles.ts';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { AuthConfig } from '../config.ts';
import { startAuth } from '../service.ts';

export const PASSWORD = 'el roble y la ceiba';
const TEMPLATE = migratedTemplate('auth', new URL('../migrations/', import.meta.url));
const QUICK = { memoryKib: 64, passes: 1 };

/** Auth with its own database. It verifies its own tokens, so its address must be known before it starts. */
export async function openHarness() {
  const [platform, identity] = await Promise.all([
    openTestPlatform({ template: TEMPLATE }),
    startTestIdentity(),
  ]);
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
    'second_factor.changed',
    'admin.invited',
    'admin.role_changed',
    'worker.invited',
    'worker.registered',
    'worker.updated',
  ]);
  let now = () => new Date();
  const running: { url: string; close(): Promise<void> }[] = [];

  const start = async (changes: Partial<Pick<AuthConfig, 'passwordCost' | 'secondFactorKey'>> = {}) => {
    const port = await freePort();
    const jwksUrl = `http://127.0.0.1:${port}/internal/jwks`;
    const config = { ...testServiceConfig({ databaseUrl: platform.databaseUrl, jwksUrl }), port };
    const own = {
      passwordCost: QUICK,
      mailTokenKey: TEST_MAIL_TOKENS.publicKey,
      secondFactorKey: 'a key that only the tests know of, too',
      retention: { linkDays: 90, logInDays: 90 },
      refusesDemoAccounts: false,
      ...changes,
    };
    const service = await startAuth({ ...config, ...own }, { platform, clock: () => now() });
    running.push(service);
    return service;
  };
  const { url } = await start();

  /** By default, each call has its own client address, so that rate limits do not interfere. */
  const from = (address: string) => ({ 'X-Forwarded-For': address });
  const call = (key: keyof Endpoints, { headers, ...parts }: RequestParts = {}) =>
    request(url, key, { ...parts, headers: { ...from(newAddress()), ...headers } });
  const logIn = (role: Role, email: string, password = PASSWORD, address = newAddress(), at = url) =>
    request(at, `POST /api/auth/${role}/login`, { body: { email, password }, headers: from(address) });
  const putAccount = async (body: Record<string, unknown>, at = url) =>
    request(at, 'PUT /internal/accounts', {
      body: { role: 'admin', name: 'Some Body', email: newEmail(), password: PASSWORD, ...body },
      token: await identity.serviceToken('operator', 'auth'),
    });

  return {
    url,
    call,
    events,
    identity,
    start,
    platform,
    query: (text: string, values: unknown[] = []) => database.query(text, values),
    setClock: (clock: () => Date) => void (now = clock),

    async register(changes: { name?: string; email?: string; password?: string; locale?: string } = {}) {
      const body = { name: 'Lucía Peña', email: newEmail(), password: PASSWORD, ...changes };
      return { ...(await call('POST /api/auth/customer/register', { body })), sent: body };
    },
    logIn,
    /** The token emailed last to an address. */
    mailedToken: async (email: string) =>
      TEST_MAIL_TOKENS.open(
        (await events.next('email.verification_requested', ({ data }) => data.email === email)).data,
      ),
    putAccount,
    /** A logged-in person with a verified address. */
    async someone(role: Role, changes: Record<string, unknown> = {}) {
      const email = newEmail();
      const worker = role === 'worker' ? { worker: { code: newCode(), region: 'Meta' } } : {};
      await putAccount({ role, email, emailVerified: true, ...worker, ...changes });
      const { body } = await logIn(role, email);
      return { role, email, id: body.user.id as string, token: body.token as string };
    },
    /** Whether a token is still valid. */
    isLoggedIn: async (role: Role, token: string) =>
      (await call(`GET /api/auth/${role}/verify`, { token })).status === 200,

    async close() {
      for (const one of running.reverse()) await one.close();
      await database.end();
      await platform.close();
      await identity.close();
    },
  };
}

export type Harness = Awaited<ReturnType<typeof openHarness>>;

export const newEmail = (): string => `${randomUUID().slice(0, 8)}@example.org`;

let codes = 0;
/** A worker's code outside all regions. */
export const newCode = (): string => `T${++codes}`;

let addresses = 0;
export const newAddress = (): string => `10.0.${(addresses >> 8) & 255}.${addresses++ & 255}`;
