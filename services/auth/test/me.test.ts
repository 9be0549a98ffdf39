import { TEST_MAIL_TOKENS } from '@arboleda/chassis/testing/config.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { type Harness, newAddress, newEmail, openHarness, PASSWORD } from './harness.ts';

let auth: Harness;

beforeAll(async () => {
  auth = await openHarness();
});

afterAll(() => auth.close());

const ROLES = ['customer', 'admin', 'worker'] as const;

const OTHER = 'la palma de cera del Quindío';

const change = (token: string, body: unknown) => auth.call('PUT /api/auth/me', { token, body });

const changePassword = (
  token: string,
  currentPassword: unknown,
  newPassword: unknown = OTHER,
  address = newAddress(),
) =>
  auth.call('PUT /api/auth/me/password', {
    token,
    body: { currentPassword, newPassword },
    headers: { 'X-Forwarded-For': address },
  });

const logOut = (token: string) => auth.call('POST /api/auth/me/log-out-everywhere', { token });

describe('one’s own name and language', () => {
  test.each(ROLES)('are changed by a %s, who gets a token with them', async (role) => {
    const { token, id, email } = await auth.someone(role);
    const { status, body } = await change(token, { name: 'Ana Ríos', language: 'es' });
    expect(status).toBe(200);
    expect(body.user).toMatchObject({ id, email, name: 'Ana Ríos', language: 'es', emailVerified: true });
    expect(decodeJwt(body.token)).toMatchObject({ aud: role, sub: id, name: 'Ana Ríos' });
    expect(await auth.isLoggedIn(role, token)).toBe(true);
  });

  test('do not prolong the session, so a stolen token gains no time', async () => {
    const { token } = await auth.someone('admin');
    auth.setClock(() => new Date(Date.now() + 3_600_000));
    const { body } = await change(token, { name: 'Ana Ríos' });
    auth.setClock(() => new Date());
    expect(decodeJwt(body.token).exp).toBe(decodeJwt(token).exp);
  });

  test('stay when absent', async () => {
    const { token } = await auth.someone('customer', { name: 'Ana', language: 'es' });
    expect((await change(token, { name: 'Ana Ríos' })).body.user.language).toBe('es');
    expect((await change(token, { language: 'en' })).body.user).toMatchObject({
      name: 'Ana Ríos',
      language: 'en',
    });
    expect((await change(token, {})).body.user).toMatchObject({ name: 'Ana Ríos', language: 'en' });
  });

  test('of a worker are published', async () => {
    const { token, id } = await auth.someone('worker');
    const { body } = await change(token, { name: 'Mateo Ríos' });
    expect(body.user).toMatchObject({ workerId: expect.any(String), region: 'Meta' });
    const published = await auth.events.next('worker.updated', ({ data }) => data.workerId === id);
    expect(published).toMatchObject({ sequence: 1, data: { name: 'Mateo Ríos', active: true } });
  });

  test.each([
    ['name', { name: '' }, 'required'],
    ['name', { name: 'x'.repeat(121) }, 'too-long'],
    ['name', { name: 'a\u0000b' }, 'invalid'],
    ['language', { language: 'fr' }, 'unknown-value'],
  ])('are refused when %s is wrong: %j', async (path, body, type) => {
    const { token } = await auth.someone('customer');
    const answer = await change(token, body);
    expect([answer.status, answer.body.errors]).toEqual([422, [expect.objectContaining({ path, type })]]);
  });
});

describe('one’s own password', () => {
  test.each(ROLES)(
    'is changed by a %s; other sessions end, this one goes on with a new token',
    async (role) => {
      const { token, email } = await auth.someone(role);
      const elsewhere = (await auth.logIn(role, email)).body.token;
      const { status, body } = await changePassword(token, PASSWORD);
      expect([status, Object.keys(body)]).toEqual([200, ['token']]);
      expect(await auth.isLoggedIn(role, body.token)).toBe(true);
      expect([await auth.isLoggedIn(role, token), await auth.isLoggedIn(role, elsewhere)]).toEqual([
        false,
        false,
      ]);
      expect((await auth.logIn(role, email, PASSWORD)).status).toBe(401);
      expect((await auth.logIn(role, email, OTHER)).status).toBe(200);
      const published = await auth.events.next('password.changed', ({ data }) => data.email === email);
      expect(published.data).toMatchObject({ role, name: 'Some Body', language: 'en' });
    },
  );

  test('stays when the current one is wrong, and the session stays open', async () => {
    const { token } = await auth.someone('customer');
    const { status, body } = await changePassword(token, 'not the password');
    expect(status).toBe(422);
    expect(body.errors).toEqual([
      expect.objectContaining({ path: 'currentPassword', type: 'wrong-password' }),
    ]);
    expect(await auth.isLoggedIn('customer', token)).toBe(true);
  });

  test('cannot be guessed through a stolen session', async () => {
    const { token, email } = await auth.someone('customer');
    const address = newAddress();
    const statuses: number[] = [];
    for (let time = 0; time < 11; time++) {
      statuses.push((await changePassword(token, 'a guess', OTHER, address)).status);
    }
    expect(statuses).toEqual([...Array(9).fill(422), 429, 429]);
    expect((await changePassword(token, PASSWORD, OTHER, address)).status).toBe(429);
    expect((await auth.logIn('customer', email)).status).toBe(200);
  });

  test('is changed once by two concurrent calls', async () => {
    const { token, email } = await auth.someone('customer');
    const passwords = [OTHER, 'el oso de anteojos'];
    const answers = await Promise.all(passwords.map((password) => changePassword(token, PASSWORD, password)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.find(({ status }) => status !== 200)!.status).toBeGreaterThanOrEqual(401);
    const won = answers.findIndex(({ status }) => status === 200);
    expect((await auth.logIn('customer', email, passwords[won])).status).toBe(200);
  });

  test.each([
    ['newPassword', { currentPassword: PASSWORD, newPassword: 'short' }, 'too-short'],
    ['newPassword', { currentPassword: PASSWORD, newPassword: 'qwertyuiop' }, 'common-password'],
    ['newPassword', { currentPassword: PASSWORD, newPassword: 'Some Body 2026' }, 'common-password'],
    ['currentPassword', { newPassword: OTHER }, 'required'],
  ])('is refused when %s is %j', async (path, body, type) => {
    const { token } = await auth.someone('customer');
    const answer = await auth.call('PUT /api/auth/me/password', { token, body });
    expect([answer.status, answer.body.errors]).toEqual([422, [expect.objectContaining({ path, type })]]);
  });
});

describe('logging out everywhere', () => {
  test.each(ROLES)('ends all sessions of a %s; the password stays', async (role) => {
    const { token, email } = await auth.someone(role);
    const elsewhere = (await auth.logIn(role, email)).body.token;
    expect((await logOut(token)).status).toBe(200);
    expect([await auth.isLoggedIn(role, token), await auth.isLoggedIn(role, elsewhere)]).toEqual([
      false,
      false,
    ]);
    expect((await logOut(elsewhere)).status).toBe(401);
    expect((await auth.logIn(role, email)).status).toBe(200);
  });

  test('happens once for two concurrent calls', async () => {
    const { token, id } = await auth.someone('customer');
    const answers = await Promise.all([logOut(token), logOut(token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    const { rows } = await auth.query('select token_version from auth.accounts where id = $1', [id]);
    expect(rows).toEqual([{ token_version: 1 }]);
  });
});

test('no change is possible without a session or after it was ended', async () => {
  const { token } = await auth.someone('customer');
  await logOut(token);
  const keys = [
    'PUT /api/auth/me',
    'PUT /api/auth/me/password',
    'PUT /api/auth/me/email',
    'POST /api/auth/me/email/confirm',
    'POST /api/auth/me/log-out-everywhere',
    'POST /api/auth/me/deletion',
    'GET /api/auth/me/export',
  ] as const;
  const body = {
    name: 'Eve',
    currentPassword: PASSWORD,
    newPassword: OTHER,
    email: 'eve@example.org',
    token: 'x',
  };
  for (const key of keys) {
    const sent = key.startsWith('GET') ? {} : { body };
    expect([key, (await auth.call(key, sent)).status]).toEqual([key, 401]);
    expect([key, (await auth.call(key, { ...sent, token })).status]).toEqual([key, 401]);
  }
});

const ask = (token: string, email: unknown, currentPassword: unknown = PASSWORD) =>
  auth.call('PUT /api/auth/me/email', { token, body: { email, currentPassword } });

const confirm = (token: string, mailed: unknown) =>
  auth.call('POST /api/auth/me/email/confirm', { token, body: { token: mailed } });

const mailed = async (to: string) =>
  (await auth.events.next('email.change_requested', ({ data }) => data.email === to)).data;

const mailedToken = async (to: string) => TEST_MAIL_TOKENS.open(await mailed(to));

async function asking(role: 'customer' | 'admin' | 'worker' = 'customer', changes = {}) {
  const [person, to] = [await auth.someone(role, changes), newEmail()];
  expect((await ask(person.token, to)).status).toBe(202);
  return { ...person, to, link: await mailedToken(to) };
}

describe('another address', () => {
  test.each(['customer', 'admin', 'worker'] as const)(
    'of a %s counts once the link that went there is opened',
    async (role) => {
      const { token, id, email, to, link } = await asking(role);
      expect((await auth.logIn(role, email)).status).toBe(200);
      expect((await auth.logIn(role, to)).status).toBe(401);
      const { status, body } = await confirm(token, link);
      expect(status).toBe(200);
      expect(body.user).toMatchObject({ id, email: to, emailVerified: true });
      expect(decodeJwt(body.token)).toMatchObject({ sub: id, email: to, email_verified: true, tv: 1 });
      expect(await auth.isLoggedIn(role, body.token)).toBe(true);
      expect((await auth.logIn(role, email)).status).toBe(401);
      expect((await auth.logIn(role, to)).status).toBe(200);
      const changed = await auth.events.next('email.changed', ({ data }) => data.accountId === id);
      expect(changed.data).toMatchObject({ role, from: email, to, name: 'Some Body', fromVerified: true });
    },
  );

  test('ends the other sessions, as their tokens contain the former one', async () => {
    const { token, to, link, email } = await asking();
    const elsewhere = (await auth.logIn('customer', email)).body.token;
    await confirm(token, link);
    expect(await auth.isLoggedIn('customer', elsewhere)).toBe(false);
    expect((await auth.logIn('customer', to)).status).toBe(200);
  });

  test('is published with whether the former one was verified, and is verified itself', async () => {
    const { body, sent } = await auth.register();
    const to = newEmail();
    await ask(body.token, to);
    await confirm(body.token, await mailedToken(to));
    const changed = await auth.events.next('email.changed', ({ data }) => data.from === sent.email);
    expect(changed.data.fromVerified).toBe(false);
    expect((await auth.logIn('customer', to)).body.user.emailVerified).toBe(true);
  });

  test('of a worker is published', async () => {
    const { token, id, to, link } = await asking('worker');
    await confirm(token, link);
    const published = await auth.events.next('worker.updated', ({ data }) => data.workerId === id);
    expect(published.data.email).toBe(to);
  });

  test('is requested in the person’s language', async () => {
    const { token, id } = await auth.someone('customer', { name: 'Ana Ríos', language: 'es' });
    const to = newEmail();
    await ask(token, to.toUpperCase());
    expect(await mailed(to)).toMatchObject({
      accountId: id,
      name: 'Ana Ríos',
      language: 'es',
      role: 'customer',
    });
  });

  test('needs the password', async () => {
    const { token } = await auth.someone('customer');
    const { status, body } = await ask(token, newEmail(), 'not the password');
    expect([status, body.errors[0]]).toEqual([
      422,
      expect.objectContaining({ path: 'currentPassword', type: 'wrong-password' }),
    ]);
  });

  test('that is taken cannot be requested; one of another role can', async () => {
    const [person, other, admin] = [
      await auth.someone('customer'),
      await auth.someone('customer'),
      await auth.someone('admin'),
    ];
    for (const taken of [other.email, person.email]) {
      const { status, body } = await ask(person.token, taken);
      expect([status, body.type]).toEqual([409, 'email-taken']);
    }
    expect((await ask(person.token, admin.email)).status).toBe(202);
  });

  test('that was taken meanwhile is not given twice', async () => {
    const [first, second, to] = [await auth.someone('customer'), await auth.someone('customer'), newEmail()];
    await ask(first.token, to);
    const firstLink = await mailedToken(to);
    await ask(second.token, to);
    const secondLink = await mailedToken(to);
    const answers = await Promise.all([confirm(first.token, firstLink), confirm(second.token, secondLink)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const { rowCount } = await auth.query('select from auth.accounts where email = $1', [to]);
    expect(rowCount).toBe(1);
  });

  test.each([
    ['email', { email: 'nobody', currentPassword: PASSWORD }, 'invalid-email'],
    ['email', { currentPassword: PASSWORD }, 'required'],
    ['currentPassword', { email: 'a@example.org' }, 'required'],
  ])('is refused when %s is wrong: %j', async (path, body, type) => {
    const { token } = await auth.someone('customer');
    const answer = await auth.call('PUT /api/auth/me/email', { token, body });
    expect([answer.status, answer.body.errors]).toEqual([422, [expect.objectContaining({ path, type })]]);
  });

  test('is limited per account', async () => {
    const { token } = await auth.someone('customer');
    for (let times = 0; times < 5; times++) expect((await ask(token, newEmail())).status).toBe(202);
    expect((await ask(token, newEmail())).status).toBe(429);
  });
});

describe('the link to the new address', () => {
  test('opened twice at once changes the address once, and both calls get a token', async () => {
    const { token, link, id } = await asking();
    const answers = await Promise.all([confirm(token, link), confirm(token, link)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    for (const { body } of answers) expect(await auth.isLoggedIn('customer', body.token)).toBe(true);
    await auth.events.next('email.changed', ({ data }) => data.accountId === id);
    expect(auth.events.all('email.changed').filter(({ data }) => data.accountId === id)).toHaveLength(1);
  });

  test('is refused to another account’s session, and not used up by it', async () => {
    const { token, link } = await asking();
    const stranger = await auth.someone('customer');
    expect((await confirm(stranger.token, link)).body.type).toBe('link-invalid');
    expect((await auth.call('POST /api/auth/me/email/confirm', { body: { token: link } })).status).toBe(401);
    expect((await confirm(token, link)).status).toBe(200);
  });

  test('is invalid after a newer request', async () => {
    const { token, link } = await asking();
    const to = newEmail();
    await ask(token, to);
    expect((await confirm(token, link)).body.type).toBe('link-invalid');
    expect((await confirm(token, await mailedToken(to))).body.user.email).toBe(to);
  });

  test('is refused to a later session once it was used', async () => {
    const { token, link } = await asking();
    const { body } = await confirm(token, link);
    expect((await confirm(body.token, link)).body.type).toBe('link-invalid');
  });

  test('brings no session back that was ended after it', async () => {
    const { token, link } = await asking('admin');
    const { body } = await confirm(token, link);
    expect((await logOut(body.token)).status).toBe(200);
    expect((await confirm(body.token, link)).status).toBe(401);
  });

  test('is invalid after a day', async () => {
    const { token, link } = await asking();
    auth.setClock(() => new Date(Date.now() + 24 * 3_600_000));
    const late = await confirm(token, link);
    auth.setClock(() => new Date());
    expect(late.body.type).toBe('link-invalid');
  });

  test('invalidates links to the former address', async () => {
    const { body, sent } = await auth.register();
    const verification = await auth.mailedToken(sent.email);
    const to = newEmail();
    await ask(body.token, to);
    const { body: moved } = await confirm(body.token, await mailedToken(to));
    const answer = await auth.call('POST /api/auth/customer/verify-email', {
      token: moved.token,
      body: { token: verification },
    });
    expect(answer.body.type).toBe('link-invalid');
  });
});
