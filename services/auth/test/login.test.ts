import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import type * as Argon2 from '@node-rs/argon2';
import { createRequire } from 'node:module';
import type { Harness } from './harness.ts';

const argon2 = createRequire(import.meta.url)('@node-rs/argon2') as typeof Argon2;

/** Hashes that passwords were compared with. */
const tried: string[] = [];

jest.unstable_mockModule('@node-rs/argon2', () => ({
  ...argon2,
  verify(stored: string, password: string) {
    tried.push(stored);
    return argon2.verify(stored, password);
  },
}));

const { newAddress, newEmail, openHarness, PASSWORD } = await import('./harness.ts');
const { openPasswords } = await import('../passwords/passwords.ts');

let auth: Harness;

beforeAll(async () => {
  auth = await openHarness();
});

afterAll(() => auth.close());

const WRONG = 'not the password';

const customer = async () => (await auth.register()).sent.email;

describe('logging in', () => {
  test('as a customer gives a session', async () => {
    const email = await customer();
    const { status, body } = await auth.logIn('customer', ` ${email.toUpperCase()} `);
    expect(status).toBe(200);
    expect(body.user).toMatchObject({ email, name: 'Lucía Peña', emailVerified: false });
    expect(decodeJwt(body.token)).toMatchObject({ aud: 'customer', email });
  });

  test('as an admin gives an admin’s session', async () => {
    const email = newEmail();
    await auth.putAccount({ role: 'admin', email });
    const { body } = await auth.logIn('admin', email);
    expect(decodeJwt(body.token).aud).toBe('admin');
    const seen = await auth.call('GET /api/auth/admin/verify', { token: body.token });
    expect(seen.body).toEqual({ user: body.user });
  });

  test('as a worker works by address and by code, in any letter case', async () => {
    const email = newEmail();
    const worker = { code: 'QU-014', region: 'Quindío' };
    await auth.putAccount({ role: 'worker', email, worker, language: 'es' });
    for (const login of [email, 'QU-014', 'qu-014']) {
      const { status, body } = await auth.logIn('worker', login);
      expect(status).toBe(200);
      expect(body.user).toMatchObject({ email, workerId: 'QU-014', region: 'Quindío', language: 'es' });
      const seen = await auth.call('GET /api/auth/worker/verify', { token: body.token });
      expect(seen.body).toEqual({ worker: body.user });
    }
  });

  test('is limited to one’s own role', async () => {
    const email = await customer();
    for (const role of ['admin', 'worker'] as const) {
      expect((await auth.logIn(role, email)).body.type).toBe('invalid-credentials');
    }
  });

  test('answers alike for a wrong password, an unknown address and a closed account', async () => {
    const [known, closed] = [await customer(), await customer()];
    await auth.query('update auth.accounts set active = false where email = $1', [closed]);
    const answers = await Promise.all([
      auth.logIn('customer', known, WRONG),
      auth.logIn('customer', newEmail(), WRONG),
      auth.logIn('customer', closed),
    ]);
    const seen = answers.map(({ status, body }) => ({ status, ...body, correlationId: '' }));
    expect(seen[0]).toMatchObject({ status: 401, type: 'invalid-credentials' });
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[2]).toEqual(seen[0]);
  });

  test.each([
    ['email', { email: '', password: PASSWORD }],
    ['email', { email: 'x'.repeat(255), password: PASSWORD }],
    ['email', { password: PASSWORD }],
    ['password', { email: 'a@example.org', password: '' }],
    ['password', { email: 'a@example.org', password: 'x'.repeat(201) }],
    ['password', { email: 'a@example.org', password: ['x'] }],
  ])('names the field %s at fault', async (path, body) => {
    for (const role of ['customer', 'admin', 'worker'] as const) {
      const answer = await auth.call(`POST /api/auth/${role}/login`, { body });
      expect(answer.status).toBe(422);
      expect(answer.body.errors[0].path).toBe(path);
    }
  });

  test('upgrades a hash of another cost to today’s', async () => {
    const email = await customer();
    const old = await (await openPasswords({ memoryKib: 32, passes: 1 })).hash(PASSWORD);
    await auth.query('update auth.accounts set password_hash = $2 where email = $1', [email, old]);
    expect((await auth.logIn('customer', email)).status).toBe(200);
    const { rows } = await auth.query('select password_hash from auth.accounts where email = $1', [email]);
    expect(rows[0].password_hash).toContain('m=64,');
    expect((await auth.logIn('customer', email)).status).toBe(200);
  });
});

describe('guessing a password', () => {
  const guess = (email: string, address: string) => auth.logIn('customer', email, WRONG, address);
  const guessTimes = async (times: number, email: string, address: string) => {
    const statuses: number[] = [];
    for (let time = 0; time < times; time++) statuses.push((await guess(email, address)).status);
    return statuses;
  };

  test('is blocked after ten attempts, even with the right password', async () => {
    const [email, address] = [await customer(), newAddress()];
    expect(await guessTimes(9, email, address)).toEqual(Array(9).fill(401));
    const tenth = await guess(email, address);
    expect(tenth.status).toBe(429);
    expect(tenth.body.type).toBe('too-many-requests');
    const waitSeconds = Number(tenth.headers.get('Retry-After'));
    expect(waitSeconds).toBeGreaterThan(0);
    expect(waitSeconds).toBeLessThanOrEqual(900);
    expect((await auth.logIn('customer', email, PASSWORD, address)).status).toBe(429);
  });

  test('does not lock the owner out, who comes from another network', async () => {
    const [email, address] = [await customer(), newAddress()];
    await guessTimes(12, email, address);
    expect((await auth.logIn('customer', email)).status).toBe(200);
  });

  test('is limited alike for an unknown account', async () => {
    const [email, address] = [newEmail(), newAddress()];
    expect(await guessTimes(10, email, address)).toEqual([...Array(9).fill(401), 429]);
  });

  test('concurrently counts every attempt', async () => {
    const [email, address] = [await customer(), newAddress()];
    const answers = await Promise.all(Array.from({ length: 20 }, () => guess(email, address)));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(9);
  });

  test('is forgotten after the right password', async () => {
    const [email, address] = [await customer(), newAddress()];
    await guessTimes(8, email, address);
    expect((await auth.logIn('customer', email, PASSWORD, address)).status).toBe(200);
    expect(await guessTimes(9, email, address)).toEqual(Array(9).fill(401));
  });

  test('does not reveal the address of a worker’s code', async () => {
    const [email, address] = [newEmail(), newAddress()];
    await auth.putAccount({ role: 'worker', email, worker: { code: 'HU-002', region: 'Huila' } });
    const statuses: number[] = [];
    for (let time = 0; time < 10; time++)
      statuses.push((await auth.logIn('worker', 'hu-002', WRONG, address)).status);
    expect(statuses).toEqual([...Array(9).fill(401), 429]);
    expect((await auth.logIn('worker', email, WRONG, address)).status).toBe(401);
  });

  test('over many accounts from one address is blocked too', async () => {
    const address = newAddress();
    for (let time = 0; time < 100; time++) {
      expect((await guess(newEmail(), address)).status).toBe(401);
    }
    expect((await guess(newEmail(), address)).status).toBe(429);
  });

  test('behind a shared address locks out neither earlier nor logged-in users of it', async () => {
    const [known, stranger, address] = [await customer(), await customer(), newAddress()];
    const { body } = await auth.logIn('customer', known, PASSWORD, address);
    for (let time = 0; time < 101; time++) await guess(newEmail(), address);
    expect((await auth.logIn('customer', stranger, PASSWORD, address)).status).toBe(429);
    expect((await auth.logIn('customer', known, PASSWORD, address)).status).toBe(200);
    const change = await auth.call('PUT /api/auth/me/password', {
      token: body.token,
      headers: { 'X-Forwarded-For': address },
      body: { currentPassword: PASSWORD, newPassword: 'ceiba y guadua 4711' },
    });
    expect(change.status).toBe(200);
  });

  test('from many machines is blocked too, but the owner gets in from known networks', async () => {
    const [email, home] = [await customer(), newAddress()];
    expect((await auth.logIn('customer', email, PASSWORD, home)).status).toBe(200);
    for (let machine = 0; machine < 100; machine++) await guess(email, newAddress());
    expect((await guess(email, newAddress())).status).toBe(429);
    expect((await auth.logIn('customer', email, PASSWORD, home)).status).toBe(200);
  });

  test('is counted over all replicas, without storing addresses in the clear', async () => {
    const [email, address] = [await customer(), newAddress()];
    await guessTimes(10, email, address);
    const replica = await auth.start();
    const answer = await fetch(`${replica.url}/api/auth/customer/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': address },
      body: JSON.stringify({ email, password: PASSWORD }),
    });
    expect(answer.status).toBe(429);
    const { rows } = await auth.query('select key from auth.rate_limits');
    expect(JSON.stringify(rows)).not.toContain(address);
    expect(JSON.stringify(rows)).not.toContain(email);
  });
});

test('an unknown address takes the same time: it costs the same hash', async () => {
  const costsOf = async (email: string) => {
    tried.length = 0;
    await auth.logIn('customer', email, WRONG);
    return tried.map((stored) => argon2.parseOptions(stored));
  };
  const ofKnown = await costsOf(await customer());
  expect(ofKnown).toHaveLength(1);
  expect(await costsOf(newEmail())).toEqual(ofKnown);
});
