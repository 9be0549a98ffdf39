import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Harness, newAddress, openHarness, PASSWORD } from './harness.ts';

let auth: Harness;
beforeAll(async () => {
  auth = await openHarness();
});
afterAll(() => auth.close());

const erase = (token: string, currentPassword: unknown = PASSWORD, address = newAddress()) =>
  auth.call('POST /api/auth/me/deletion', {
    token,
    body: { currentPassword },
    headers: { 'X-Forwarded-For': address },
  });
const take = (token: string) => auth.call('GET /api/auth/me/export', { token });
const rowsAbout = async (id: string) => {
  const tables = ['verification_links', 'known_networks'].map(
    (name) => `select account_id from auth.${name}`,
  );
  const { rowCount } = await auth.query(
    `select from (select id as account_id from auth.accounts union all ${tables.join(' union all ')}) as one
     where account_id = $1`,
    [id],
  );
  return rowCount;
};

describe('a customer who takes their data along', () => {
  test('gets all of the account, and nothing that would open it', async () => {
    const { body, sent } = await auth.register({ locale: 'es' });
    const { status, body: taken } = await take(body.token);
    expect(status).toBe(200);
    expect(taken.account).toEqual({
      ...body.user,
      role: 'customer',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(taken.mailedLinks).toEqual([
      { purpose: 'verify-email', email: sent.email, expiresAt: expect.any(String) },
    ]);
    expect(taken.logIns).toEqual([]);
    const text = JSON.stringify(taken);
    for (const secret of ['argon2', await auth.mailedToken(sent.email)]) expect(text).not.toContain(secret);
  });

  test('sees when they logged in, and what links they used', async () => {
    const { body, sent } = await auth.register();
    await auth.call('POST /api/auth/customer/verify-email', {
      token: body.token,
      body: { token: await auth.mailedToken(sent.email) },
    });
    await auth.logIn('customer', sent.email);
    const { body: taken } = await take(body.token);
    expect(taken.logIns).toEqual([{ lastAt: expect.any(String) }]);
    expect(taken.mailedLinks[0].usedAt).toEqual(expect.any(String));
  });
});

describe('a customer who leaves', () => {
  test('is gone at once: account, sessions, links; the others hear of it', async () => {
    const { id, email, token } = await auth.someone('customer');
    const elsewhere = (await auth.logIn('customer', email)).body.token;
    const { status, body } = await erase(token);
    expect([status, body]).toEqual([202, {}]);
    expect(await rowsAbout(id)).toBe(0);
    expect([await auth.isLoggedIn('customer', token), await auth.isLoggedIn('customer', elsewhere)]).toEqual([
      false,
      false,
    ]);
    expect((await auth.logIn('customer', email)).status).toBe(401);
    const told = await auth.events.next('customer.erased', ({ data }) => data.accountId === id);
    expect(told).toMatchObject({ key: id, data: { email, ordersToo: true } });
  });

  test('takes no orders along of an address that was never proved theirs', async () => {
    const { body, sent } = await auth.register();
    await erase(body.token);
    const told = await auth.events.next('customer.erased', ({ data }) => data.email === sent.email);
    expect(told.data.ordersToo).toBe(false);
  });

  test('may come back with the same address, as somebody new', async () => {
    const { id, email, token } = await auth.someone('customer');
    await erase(token);
    const { status, body } = await auth.register({ email });
    expect(status).toBe(201);
    expect(body.user.id).not.toBe(id);
    expect(await auth.isLoggedIn('customer', body.token)).toBe(true);
  });

  test('must show the password', async () => {
    const { id, token } = await auth.someone('customer');
    const { status, body } = await erase(token, 'not the password');
    expect([status, body.errors[0]]).toEqual([
      422,
      expect.objectContaining({ path: 'currentPassword', type: 'wrong-password' }),
    ]);
    expect((await erase(token, '')).status).toBe(422);
    expect(await rowsAbout(id)).toBeGreaterThan(0);
  });

  test('leaves once when they do it twice at once', async () => {
    const { id, token } = await auth.someone('customer');
    const answers = await Promise.all([erase(token), erase(token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 401]);
    await auth.events.next('customer.erased', ({ data }) => data.accountId === id);
    expect(auth.events.all('customer.erased').filter(({ data }) => data.accountId === id)).toHaveLength(1);
  });
});

test.each(['admin', 'worker'] as const)('a %s can do neither: they are the organisation’s', async (role) => {
  const { token } = await auth.someone(role);
  expect([(await take(token)).status, (await erase(token)).status]).toEqual([403, 403]);
});
