import type { Driver } from '@arboleda/cli/demo/driver.ts';
import { ADMIN_ROLES, type AdminRole } from '@arboleda/contracts/permissions.ts';
import type { Role } from '@arboleda/contracts/roles.ts';
import { totp } from '../../driver/totp.ts';
import { PASSWORD, putAccount } from '../../harness/accounts.ts';
import type { Running } from '../../harness/product.ts';

/** How somebody logs in. */
export interface Login {
  role: Role;
  email: string;
  password: string;
  /** The secret of the authenticator app, for an admin with two-factor login. */
  secret?: string;
  /** Recovery codes that nobody has used. */
  recoveryCodes?: string[];
}

/** Transfers above this many dollars need two admins. */
export const SECOND_ADMIN_ABOVE_USD = '500';
const STEP_MS = 30_000;

/** Session tokens of those who do most, and how everybody logs in. */
export type People = Record<AdminRole | 'worker' | 'donor', string> & { logins: Record<string, Login> };

/** Makes accounts of every kind: roles, with two-factor login, invited, inactive, and not verified. */
export async function makePeople(at: Running, driver: Driver): Promise<People> {
  const logins: Record<string, Login> = {};
  const join = async (name: string, role: Role, more: object = {}): Promise<string> => {
    const email = `${name.toLowerCase()}@fixture.test`;
    logins[name] = { role, email, password: PASSWORD };
    const account = { role, email, password: PASSWORD, name: `${name} Prueba`, emailVerified: true };
    await putAccount(at, { ...account, ...more });
    return driver.logIn(role, email, PASSWORD);
  };
  const tokens = {} as Record<AdminRole, string>;
  for (const adminRole of ADMIN_ROLES) tokens[adminRole] = await join(adminRole, 'admin', { adminRole });
  const worker = await join('worker', 'worker', {
    worker: { code: 'QU-014', region: 'Quindío', capacityTrees: 1000 },
  });
  await join('idleWorker', 'worker', { worker: { code: 'BO-021', region: 'Boyacá', capacityTrees: 0 } });
  const donor = await join('donor', 'customer');
  await join('unverified', 'customer', { emailVerified: false, language: 'es' });
  logins.twoFactor = await joinWithSecondFactor(driver, await join('twoFactor', 'admin'), logins.twoFactor!);
  await driver.call('POST /api/admin/workers', {
    token: tokens.coordinator,
    body: { name: 'Flor Tunubalá', email: 'invited-worker@fixture.test', region: 'Cauca', capacityTrees: 10 },
  });
  return { ...tokens, worker, donor, logins };
}

/** Turns two-factor login on, uses a recovery code, and invites and deactivates admins with it. */
async function joinWithSecondFactor(driver: Driver, begun: string, login: Login): Promise<Login> {
  const { call } = driver;
  const { secret } = await call('POST /api/auth/admin/second-factor', {
    token: begun,
    body: { currentPassword: PASSWORD },
  });
  // A code opens once: the step of now is left for the next login.
  const on = await call('POST /api/auth/admin/second-factor/confirm', {
    token: begun,
    body: { code: totp(secret, Date.now() - STEP_MS) },
  });
  const [used, ...recoveryCodes] = on.recoveryCodes;
  const { token } = await call('POST /api/auth/admin/step-up', { token: on.token, body: { code: used! } });
  const invite = (name: string, email: string) =>
    call('POST /api/admin/admins', { token, body: { name, email, role: 'support' } });
  await invite('Hannah Weiss', 'invited-admin@fixture.test');
  const { admin } = await invite('Iris Mora', 'former-admin@fixture.test');
  const change = { params: { id: admin.id }, body: { active: false } };
  await call('PUT /api/admin/admins/{id}', { token, ...change });
  return { ...login, secret, recoveryCodes };
}
