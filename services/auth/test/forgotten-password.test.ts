import { TEST_MAIL_TOKENS } from '@arboleda/chassis/testing/config.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Harness, newAddress, newEmail, openHarness, PASSWORD } from './harness.ts';

let auth: Harness;

beforeAll(async () => {
  auth = await openHarness();
});

afterAll(() => auth.close());

const ROLES = ['customer', 'admin', 'worker'] as const;

type Role = (typeof ROLES)[number];

const OTHER = 'la palma de cera del Quindío';

const forgot = (role: string, email: unknown, address = newAddress()) =>
  auth.call('POST /api/auth/{role}/forgot-password', {
    params: { role },
    body: { email },
    headers: { 'X-Forwarded-For': address },
  });

const reset = (role: string, token: unknown, password: unknown = OTHER) =>
  auth.call('POST /api/auth/{role}/reset-password', { params: { role }, body: { token, password } });

const mailed = (email: string) =>
  auth.events.next('password.reset_requested', ({ data }) => data.email === email);

const mailedToken = async (email: string) => TEST_MAIL_TOKENS.open((await mailed(email)).data);

const requestsFor = (email: string) =>
  auth.events.all('password.reset_requested').filter(({ data }) => data.email === email);

async function forgotten(role: Role) {
  const person = await auth.someone(role);
  expect((await forgot(role, person.email)).status).toBe(202);
  return { ...person, link: await mailedToken(person.email) };
}

describe('a forgotten password', () => {
  test.each(ROLES)('of a %s is reset by the emailed link, which ends all sessions', async (role) => {
    const { email, token, link } = await forgotten(role);
    const answer = await reset(role, link);
    expect([answer.status, answer.body]).toEqual([200, { email, token: expect.any(String) }]);
    expect(await auth.isLoggedIn(role, token)).toBe(false);
    expect(await auth.isLoggedIn(role, answer.body.token)).toBe(true);
    expect((await auth.logIn(role, email, PASSWORD)).status).toBe(401);
    const again = await auth.logIn(role, email, OTHER);
    expect(again.status).toBe(200);
    expect(await auth.isLoggedIn(role, again.body.token)).toBe(true);
  });

  test('is confirmed to its owner, in the account’s language and name', async () => {
    const email = newEmail();
    await auth.putAccount({ role: 'customer', email, name: 'Ana Ríos', language: 'es' });
    await forgot('customer', ` ${email.toUpperCase()} `);
    const { key, data } = await mailed(email);
    expect(data).toMatchObject({ accountId: key, role: 'customer', name: 'Ana Ríos', language: 'es', email });
    expect(Date.parse(data.expiresAt) - Date.now()).toBeGreaterThan(59 * 60_000);
    await reset('customer', await TEST_MAIL_TOKENS.open(data));
    const changed = await auth.events.next('password.changed', (event) => event.data.email === email);
    expect(changed.data).toMatchObject({
      accountId: key,
      role: 'customer',
      name: 'Ana Ríos',
      language: 'es',
    });
  });

  test('verifies the address, as the link was sent there', async () => {
    const { sent } = await auth.register();
    await forgot('customer', sent.email);
    await reset('customer', await mailedToken(sent.email));
    expect((await auth.logIn('customer', sent.email, OTHER)).body.user.emailVerified).toBe(true);
  });

  test('is hidden from readers of events and tables', async () => {
    const { link, email } = await forgotten('customer');
    const received = JSON.stringify(auth.events.all('password.reset_requested'));
    const { rows } = await auth.query(
      `select l.*, d.event from auth.verification_links l, chassis.deliveries d`,
    );
    expect(received).toContain(email);
    expect(received + JSON.stringify(rows)).not.toContain(link);
  });

  test('of a worker may be requested by id', async () => {
    const email = newEmail();
    await auth.putAccount({ role: 'worker', email, worker: { code: 'HU-071', region: 'Huila' } });
    expect((await forgot('worker', 'hu-071')).status).toBe(202);
    expect((await reset('worker', await mailedToken(email))).status).toBe(200);
  });

  test('gives the same answer for known, unknown, closed and other accounts, and emails only the first', async () => {
    const [known, closed] = [await auth.someone('customer'), await auth.someone('customer')];
    await auth.query('update auth.accounts set active = false where id = $1', [closed.id]);
    const asked = [closed.email, newEmail(), (await auth.someone('admin')).email, known.email];
    for (const email of asked) {
      const { status, body } = await forgot('customer', email);
      expect([status, body]).toEqual([202, {}]);
    }
    await mailed(known.email);
    // They are looked up in sequence.
    expect(asked.slice(0, 3).flatMap(requestsFor)).toEqual([]);
  });

  test.each([
    ['a role that is none', 'owner', 'a@example.org', 404],
    ['no address', 'customer', '', 422],
    ['an address too long', 'customer', 'x'.repeat(255), 422],
    ['what cannot be stored', 'customer', 'a\u0000@example.org', 422],
    ['half a character', 'customer', 'a\ud800', 422],
    ['a number', 'customer', 7, 422],
  ])('cannot be requested with %s', async (_what, role, email, status) => {
    expect((await forgot(role, email)).status).toBe(status);
  });

  test('emails a limited number of links, without revealing it', async () => {
    const { email } = await auth.someone('customer');
    for (let times = 0; times < 7; times++) expect((await forgot('customer', email)).status).toBe(202);
    const marker = await auth.someone('customer');
    await forgot('customer', marker.email);
    await mailed(marker.email);
    await waitFor(() => requestsFor(email).length === 5);
    expect(requestsFor(email)).toHaveLength(5);
  });

  test('is limited per network', async () => {
    const address = newAddress();
    for (let times = 0; times < 30; times++) {
      expect((await forgot('customer', newEmail(), address)).status).toBe(202);
    }
    const refused = await forgot('customer', newEmail(), address);
    expect([refused.status, refused.body.type]).toEqual([429, 'too-many-requests']);
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
  });
});

describe('the emailed link', () => {
  test('works once', async () => {
    const { link } = await forgotten('customer');
    expect((await reset('customer', link)).status).toBe(200);
    const again = await reset('customer', link);
    expect([again.status, again.body.type]).toEqual([400, 'link-invalid']);
  });

  test('works once when opened twice at once', async () => {
    const { link, email, id } = await forgotten('customer');
    const passwords = [OTHER, 'el oso de anteojos'];
    const answers = await Promise.all(passwords.map((password) => reset('customer', link, password)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    const won = passwords[answers.findIndex(({ status }) => status === 200)]!;
    expect((await auth.logIn('customer', email, won)).status).toBe(200);
    const { rows } = await auth.query('select token_version from auth.accounts where id = $1', [id]);
    expect(rows).toEqual([{ token_version: 1 }]);
  });

  test('is invalid once another one was used; until then each works', async () => {
    const { link, email } = await forgotten('customer');
    await forgot('customer', email);
    const second = await mailedToken(email);
    expect((await reset('customer', link)).status).toBe(200);
    expect((await reset('customer', second)).body.type).toBe('link-invalid');
  });

  test('is invalid once the password was changed', async () => {
    const { link, token } = await forgotten('customer');
    const body = { currentPassword: PASSWORD, newPassword: OTHER };
    expect((await auth.call('PUT /api/auth/me/password', { token, body })).status).toBe(200);
    expect((await reset('customer', link)).body.type).toBe('link-invalid');
  });

  test('is invalid after an hour', async () => {
    const { link } = await forgotten('customer');
    auth.setClock(() => new Date(Date.now() + 3_600_000));
    const late = await reset('customer', link);
    auth.setClock(() => new Date());
    expect(late.body.type).toBe('link-invalid');
  });

  test('is limited to one’s own role, an open account and its current address', async () => {
    const [other, closed, moved] = [
      await forgotten('customer'),
      await forgotten('customer'),
      await forgotten('customer'),
    ];
    await auth.query('update auth.accounts set active = false where id = $1', [closed.id]);
    await auth.query('update auth.accounts set email = $2 where id = $1', [moved.id, newEmail()]);
    const answers = [
      await reset('admin', other.link),
      await reset('customer', closed.link),
      await reset('customer', moved.link),
      await reset('customer', 'nobody made it'),
    ];
    for (const { status, body } of answers) expect([status, body.type]).toEqual([400, 'link-invalid']);
  });

  test('for verification sets no password, and vice versa', async () => {
    const { sent, body } = await auth.register();
    const verification = await auth.mailedToken(sent.email);
    expect((await reset('customer', verification)).body.type).toBe('link-invalid');
    await forgot('customer', sent.email);
    const link = await mailedToken(sent.email);
    const verified = await auth.call('POST /api/auth/customer/verify-email', {
      token: body.token,
      body: { token: link },
    });
    expect(verified.body.type).toBe('link-invalid');
    expect((await reset('customer', link)).status).toBe(200);
  });

  test('is stored as a hash, like the password', async () => {
    const { link, id } = await forgotten('customer');
    const { rows } = await auth.query('select * from auth.verification_links where account_id = $1', [id]);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(link);
  });

  test.each([
    ['short', 'too-short'],
    ['x'.repeat(201), 'too-long'],
    ['password123', 'common-password'],
    ['', 'required'],
    [undefined, 'required'],
  ])('is not used up by the refused password %j', async (password, type) => {
    const { link } = await forgotten('customer');
    const body = password === undefined ? { token: link } : { token: link, password };
    const answer = await auth.call('POST /api/auth/{role}/reset-password', {
      params: { role: 'customer' },
      body,
    });
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual([expect.objectContaining({ path: 'password', type })]);
    expect((await reset('customer', link)).status).toBe(200);
  });
});
