import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { openPasswords, PASSWORD_COST } from '../passwords/passwords.ts';
import { type Harness, newAddress, newEmail, openHarness, PASSWORD } from './harness.ts';

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

  test('as an admin gives an admin’s session, which verifies as such', async () => {
    const email = newEmail();
    await auth.putAccount({ role: 'admin', email });
    const { body } = await auth.logIn('admin', email);
    expect(decodeJwt(body.token).aud).toBe('admin');
    const seen = await auth.call('GET /api/auth/admin/verify', { token: body.token });
    expect(seen.body).toEqual({ user: body.user });
  });

  test('as a worker works by address and by code, in any letters', async () => {
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

  test('opens no other role’s door', async () => {
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
  ])('names %s as the field at fault', async (path, body) => {
    for (const role of ['customer', 'admin', 'worker'] as const) {
      const answer = await auth.call(`POST /api/auth/${role}/login`, { body });
      expect(answer.status).toBe(422);
      expect(answer.body.errors[0].path).toBe(path);
    }
  });

  test('brings a hash of another cost up to today’s', async () => {
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

  test('ends at the tenth time, also for who then has the right one', async () => {
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

  test('does not lock the owner out, who comes from elsewhere', async () => {
    const [email, address] = [await customer(), newAddress()];
    await guessTimes(12, email, address);
    expect((await auth.logIn('customer', email)).status).toBe(200);
  });

  test('is slowed down alike where there is no account', async () => {
    const [email, address] = [newEmail(), newAddress()];
    expect(await guessTimes(10, email, address)).toEqual([...Array(9).fill(401), 429]);
  });

  test('all at once is counted all the same', async () => {
    const [email, address] = [await customer(), newAddress()];
    const answers = await Promise.all(Array.from({ length: 20 }, () => guess(email, address)));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(9);
  });

  test('is forgotten when the right password comes before the end', async () => {
    const [email, address] = [await customer(), newAddress()];
    await guessTimes(8, email, address);
    expect((await auth.logIn('customer', email, PASSWORD, address)).status).toBe(200);
    expect(await guessTimes(9, email, address)).toEqual(Array(9).fill(401));
  });

  test('a worker is counted once, whether by address or code', async () => {
    const [email, address] = [newEmail(), newAddress()];
    await auth.putAccount({ role: 'worker', email, worker: { code: 'HU-002', region: 'Huila' } });
    const logins = Array.from({ length: 10 }, (_none, time) => (time % 2 ? email : 'hu-002'));
    const statuses: number[] = [];
    for (const login of logins) statuses.push((await auth.logIn('worker', login, WRONG, address)).status);
    expect(statuses).toEqual([...Array(9).fill(401), 429]);
  });

  test('over many accounts from one address ends too', async () => {
    const address = newAddress();
    for (let time = 0; time < 100; time++) {
      expect((await guess(newEmail(), address)).status).toBe(401);
    }
    expect((await guess(newEmail(), address)).status).toBe(429);
  });

  test('by many machines ends too, but the owner gets in where they were before', async () => {
    const [email, home] = [await customer(), newAddress()];
    expect((await auth.logIn('customer', email, PASSWORD, home)).status).toBe(200);
    for (let machine = 0; machine < 100; machine++) await guess(email, newAddress());
    expect((await guess(email, newAddress())).status).toBe(429);
    expect((await auth.logIn('customer', email, PASSWORD, home)).status).toBe(200);
  });

  test('is counted by every replica, and keeps no address in the clear', async () => {
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

test('the time tells nothing: an unknown address costs a hash too', async () => {
  const { url } = await auth.start({ passwordCost: PASSWORD_COST });
  const [known, unknown] = [newEmail(), newEmail()];
  await auth.putAccount({ role: 'customer', email: known }, url);
  const fastestMs = new Map([known, unknown].map((login) => [login, Infinity]));
  for (let time = 0; time < 16; time++) {
    const login = time % 2 ? known : unknown;
    const startedAt = performance.now();
    await auth.logIn('customer', login, WRONG, newAddress(), url);
    fastestMs.set(login, Math.min(fastestMs.get(login)!, performance.now() - startedAt));
  }
  // Without a hash it would be a tenth.
  expect(fastestMs.get(unknown)!).toBeGreaterThan(fastestMs.get(known)! / 3);
});
