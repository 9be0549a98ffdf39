import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { type Harness, newAddress, newEmail, openHarness, PASSWORD } from './harness.ts';

let auth: Harness;

beforeAll(async () => {
  auth = await openHarness();
});

afterAll(() => auth.close());

const verify = (token: string, mailed: unknown) =>
  auth.call('POST /api/auth/customer/verify-email', { token, body: { token: mailed } });

const resend = (token: string) => auth.call('POST /api/auth/customer/verify-email/resend', { token });

describe('registering', () => {
  test('opens a session, publishes the account and emails a verification link', async () => {
    const { status, body, sent } = await auth.register({ locale: 'es-CO' });
    expect(status).toBe(201);
    expect(body.user).toEqual({
      id: expect.any(String),
      name: 'Lucía Peña',
      email: sent.email,
      emailVerified: false,
      language: 'es',
    });
    expect(decodeJwt(body.token)).toMatchObject({
      iss: 'arboleda',
      aud: 'customer',
      sub: body.user.id,
      email_verified: false,
      tv: 0,
    });
    const registered = await auth.events.next('customer.registered', ({ data }) => data.email === sent.email);
    expect(registered).toMatchObject({ key: body.user.id, data: { name: 'Lucía Peña', language: 'es' } });
    const asked = await auth.events.next(
      'email.verification_requested',
      ({ data }) => data.email === sent.email,
    );
    expect(asked.data).toMatchObject({ accountId: body.user.id, role: 'customer', language: 'es' });
  });

  test('stores neither the password nor the emailed token in the clear', async () => {
    const { body, sent } = await auth.register();
    const token = await auth.mailedToken(sent.email);
    const accounts = await auth.query('select * from auth.accounts where id = $1', [body.user.id]);
    const links = await auth.query('select * from auth.verification_links where account_id = $1', [
      body.user.id,
    ]);
    const stored = JSON.stringify([accounts.rows, links.rows]);
    expect(links.rows).toHaveLength(1);
    expect(stored).toContain('$argon2id$');
    expect(stored).not.toContain(PASSWORD);
    expect(stored).not.toContain(token);
  });

  test('uses the browser’s language by default', async () => {
    const answer = await auth.call('POST /api/auth/customer/register', {
      body: { name: 'L', email: newEmail(), password: PASSWORD },
      headers: { 'Accept-Language': 'es-CO,es;q=0.9' },
    });
    expect(answer.body.user.language).toBe('es');
  });

  test('is refused for a taken address, in any letter case', async () => {
    const { sent } = await auth.register();
    const again = await auth.register({ email: sent.email.toUpperCase() });
    expect(again.status).toBe(409);
    expect(again.body.type).toBe('email-taken');
  });

  test('by two clicks at once opens one account and emails one link', async () => {
    const email = newEmail();
    const answers = await Promise.all([auth.register({ email }), auth.register({ email })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    await auth.mailedToken(email);
    expect((await auth.query('select from auth.accounts where email = $1', [email])).rowCount).toBe(1);
    const links = await auth.query('select from auth.verification_links where email = $1', [email]);
    expect(links.rowCount).toBe(1);
  });

  test.each([
    ['name', { name: '  ' }, 'required'],
    ['name', { name: 'x'.repeat(121) }, 'too-long'],
    ['email', { email: 'nobody' }, 'invalid-email'],
    ['email', { email: undefined }, 'required'],
    ['password', { password: 'short' }, 'too-short'],
    ['password', { password: 'password123' }, 'common-password'],
    ['password', { password: 'Lucía Peña 26' }, 'common-password'],
    ['locale', { locale: 'x'.repeat(36) }, 'too-long'],
  ])('names the field %s at fault in %j', async (path, changes, type) => {
    const { status, body } = await auth.register(changes as Record<string, string>);
    expect(status).toBe(422);
    expect(body.errors).toEqual([expect.objectContaining({ path, type })]);
  });
});

describe('verifying an address', () => {
  test('gives a new session with the verified address', async () => {
    const { body, sent } = await auth.register();
    const answer = await verify(body.token, await auth.mailedToken(sent.email));
    expect(answer.status).toBe(200);
    expect(answer.body.user.emailVerified).toBe(true);
    expect(decodeJwt(answer.body.token)).toMatchObject({ email_verified: true, sub: body.user.id });
  });

  test('works again for the same person: a second click is no error', async () => {
    const { body, sent } = await auth.register();
    const mailed = await auth.mailedToken(sent.email);
    await verify(body.token, mailed);
    const again = await verify(body.token, mailed);
    expect(again.status).toBe(200);
    expect(again.body.user.emailVerified).toBe(true);
  });

  test('happens once for two concurrent clicks', async () => {
    const { body, sent } = await auth.register();
    const mailed = await auth.mailedToken(sent.email);
    const answers = await Promise.all([verify(body.token, mailed), verify(body.token, mailed)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const { rows } = await auth.query('select revision from auth.accounts where id = $1', [body.user.id]);
    expect(rows).toEqual([{ revision: 1 }]);
  });

  test('needs a session of the link’s account, and does not use the link up for another', async () => {
    const owner = await auth.register();
    const other = await auth.register();
    const mailed = await auth.mailedToken(owner.sent.email);
    const stolen = await verify(other.body.token, mailed);
    expect(stolen.status).toBe(400);
    expect(stolen.body.type).toBe('link-invalid');
    expect((await verify(owner.body.token, mailed)).status).toBe(200);
    const view = await auth.call('GET /api/auth/customer/verify', { token: other.body.token });
    expect(view.body.user.emailVerified).toBe(false);
  });

  test('needs a session', async () => {
    const { sent } = await auth.register();
    const mailed = await auth.mailedToken(sent.email);
    const answer = await auth.call('POST /api/auth/customer/verify-email', { body: { token: mailed } });
    expect(answer.status).toBe(401);
  });

  test('is refused after a day', async () => {
    const { body, sent } = await auth.register();
    const mailed = await auth.mailedToken(sent.email);
    auth.setClock(() => new Date(Date.now() + 24 * 3_600_000));
    const late = await verify(body.token, mailed);
    auth.setClock(() => new Date());
    expect(late.body.type).toBe('link-invalid');
  });

  test.each([['not-a-token'], ['x'.repeat(200)]])('does not take %j', async (mailed) => {
    const { body } = await auth.register();
    expect((await verify(body.token, mailed)).body.type).toBe('link-invalid');
  });

  test.each([[''], ['x'.repeat(201)], [42], [undefined]])(
    'names the token at fault in %j',
    async (mailed) => {
      const { body } = await auth.register();
      const answer = await verify(body.token, mailed);
      expect(answer.status).toBe(422);
      expect(answer.body.errors[0].path).toBe('token');
    },
  );
});

describe('requesting the link again', () => {
  test('emails a new one and invalidates the old one', async () => {
    const { body, sent } = await auth.register();
    const first = await auth.mailedToken(sent.email);
    expect((await resend(body.token)).status).toBe(202);
    const second = await auth.mailedToken(sent.email);
    expect(second).not.toBe(first);
    expect((await verify(body.token, first)).body.type).toBe('link-invalid');
    expect((await verify(body.token, second)).status).toBe(200);
  });

  test('emails nothing when the address is verified', async () => {
    const { body, sent } = await auth.register();
    await verify(body.token, await auth.mailedToken(sent.email));
    expect((await resend(body.token)).status).toBe(202);
    const links = await auth.query('select from auth.verification_links where email = $1', [sent.email]);
    expect(links.rowCount).toBe(1);
  });

  test('is limited per account', async () => {
    const { body } = await auth.register();
    for (let times = 0; times < 5; times++) expect((await resend(body.token)).status).toBe(202);
    const refused = await resend(body.token);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
  });
});

describe('looking at one’s own session', () => {
  const look = (token?: string) => auth.call('GET /api/auth/customer/verify', token ? { token } : {});

  test('shows the account, without a new token unless something changed', async () => {
    const { body } = await auth.register();
    const { status, body: seen } = await look(body.token);
    expect(status).toBe(200);
    expect(seen).toEqual({ user: body.user });
  });

  test('brings a new token when the address was verified elsewhere', async () => {
    const { body, sent } = await auth.register();
    await verify(body.token, await auth.mailedToken(sent.email));
    const { body: seen } = await look(body.token);
    expect(seen.user.emailVerified).toBe(true);
    expect(decodeJwt(seen.token).email_verified).toBe(true);
    expect(await look(seen.token)).toMatchObject({ body: { user: seen.user } });
  });

  test.each([
    ['its sessions were ended', 'update auth.accounts set token_version = 1 where id = $1'],
    ['it was closed', 'update auth.accounts set active = false where id = $1'],
    ['it is gone', 'delete from auth.accounts where id = $1'],
  ])('ends with the account: %s', async (_why, change) => {
    const { body } = await auth.register();
    await auth.query(change, [body.user.id]);
    for (const answer of [await look(body.token), await verify(body.token, 'x'), await resend(body.token)]) {
      expect(answer.status).toBe(401);
    }
  });

  test('needs a token of this issuer and role', async () => {
    const stranger = await auth.identity.token({ role: 'customer' });
    expect((await look()).status).toBe(401);
    expect((await look('nonsense')).status).toBe(401);
    expect((await look(stranger)).status).toBe(401);
    const { body } = await auth.register();
    const asAdmin = await auth.call('GET /api/auth/admin/verify', { token: body.token });
    expect(asAdmin.status).toBe(403);
  });

  test('works after a restart, as the key is stored', async () => {
    const { body } = await auth.register();
    const replica = await auth.start();
    const answer = await fetch(`${replica.url}/api/auth/customer/verify`, {
      headers: { Authorization: `Bearer ${body.token}` },
    });
    expect(answer.status).toBe(200);
    const keys = await auth.query('select from auth.signing_keys');
    expect(keys.rowCount).toBe(1);
  });
});

test('an account’s emails are requested once, even when events are delivered late', async () => {
  const { sent } = await auth.register();
  await auth.mailedToken(sent.email);
  await waitFor(() => auth.events.all('customer.registered').some(({ data }) => data.email === sent.email));
  const asked = auth.events
    .all('email.verification_requested')
    .filter(({ data }) => data.email === sent.email);
  expect(asked).toHaveLength(1);
});

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

describe('an export', () => {
  test('contains the whole account, without credentials', async () => {
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

  test('contains log-ins and used links', async () => {
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

describe('a customer who deletes the account', () => {
  test('loses account, sessions and links at once, and the erasure is published', async () => {
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
    const published = await auth.events.next('customer.erased', ({ data }) => data.accountId === id);
    expect(published).toMatchObject({ key: id, data: { email, ordersToo: true } });
  });

  test('with an unverified address leaves its orders alone', async () => {
    const { body, sent } = await auth.register();
    await erase(body.token);
    const published = await auth.events.next('customer.erased', ({ data }) => data.email === sent.email);
    expect(published.data.ordersToo).toBe(false);
  });

  test('may register again with the same address, as a new account', async () => {
    const { id, email, token } = await auth.someone('customer');
    await erase(token);
    const { status, body } = await auth.register({ email });
    expect(status).toBe(201);
    expect(body.user.id).not.toBe(id);
    expect(await auth.isLoggedIn('customer', body.token)).toBe(true);
  });

  test('must enter the password', async () => {
    const { id, token } = await auth.someone('customer');
    const { status, body } = await erase(token, 'not the password');
    expect([status, body.errors[0]]).toEqual([
      422,
      expect.objectContaining({ path: 'currentPassword', type: 'wrong-password' }),
    ]);
    expect((await erase(token, '')).status).toBe(422);
    expect(await rowsAbout(id)).toBeGreaterThan(0);
  });

  test('deletes it once when clicked twice at once', async () => {
    const { id, token } = await auth.someone('customer');
    const answers = await Promise.all([erase(token), erase(token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 401]);
    await auth.events.next('customer.erased', ({ data }) => data.accountId === id);
    expect(auth.events.all('customer.erased').filter(({ data }) => data.accountId === id)).toHaveLength(1);
  });
});

test.each(['admin', 'worker'] as const)(
  'a %s can do neither, as the account is the organisation’s',
  async (role) => {
    const { token } = await auth.someone(role);
    expect([(await take(token)).status, (await erase(token)).status]).toEqual([403, 403]);
  },
);
