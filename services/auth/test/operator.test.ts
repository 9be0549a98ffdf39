import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { generate } from 'otplib/functional';
import { type Harness, newEmail, openHarness, PASSWORD } from './harness.ts';

const MAIN = join(import.meta.dirname, '..', 'operator', 'main.ts');

let auth: Harness;
beforeAll(async () => {
  auth = await openHarness();
});
afterAll(() => auth.close());

/** The command as a process of its own. */
async function admin(args: string[], input = '') {
  const env = { ...process.env, DATABASE_URL: auth.platform.databaseUrl, AUTH_PASSWORD_MEMORY_KIB: '64' };
  const child = spawn(process.execPath, [MAIN, ...args], { env });
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number]>,
  ]);
  return { code, stdout, stderr };
}
const toldPassword = (stdout: string) => /told only now: (\S+)/.exec(stdout)?.[1] ?? '';
const sessionOf = async (email: string, password: string) =>
  (await auth.logIn('admin', email, password)).body;

test('an admin who was made by hand can log in with the password that was told', async () => {
  const email = newEmail();
  const { code, stdout } = await admin(['create', '--email', email, '--name', 'Lucía Restrepo']);
  expect(code).toBe(0);
  expect((await sessionOf(email, toldPassword(stdout))).user).toMatchObject({
    email,
    name: 'Lucía Restrepo',
  });
});

test('an admin who is there already stays as they are', async () => {
  const email = newEmail();
  await auth.putAccount({ email });
  const { code, stderr } = await admin(['create', '--email', email, '--name', 'Somebody Else']);
  expect([code, stderr]).toEqual([1, expect.stringContaining(`There is an admin ${email} already`)]);
  expect((await sessionOf(email, PASSWORD)).user.name).toBe('Some Body');
});

test('another password ends the sessions of the former one', async () => {
  const email = newEmail();
  await auth.putAccount({ email });
  const { token } = await sessionOf(email, PASSWORD);
  const { code, stdout } = await admin(['password', '--email', email]);
  expect(code).toBe(0);
  expect((await auth.logIn('admin', email, PASSWORD)).status).toBe(401);
  expect((await auth.call('GET /api/auth/admin/verify', { token })).status).toBe(401);
  expect((await sessionOf(email, toldPassword(stdout))).user.name).toBe('Some Body');
});

test('another password takes the force of links that were mailed before', async () => {
  const { email } = await auth.someone('admin');
  const role = { params: { role: 'admin' } };
  await auth.call('POST /api/auth/{role}/forgot-password', { ...role, body: { email } });
  const { data } = await auth.events.next('password.reset_requested', (event) => event.data.email === email);
  await admin(['password', '--email', email]);
  const body = { token: data.token, password: 'el oso de anteojos' };
  const { body: refused } = await auth.call('POST /api/auth/{role}/reset-password', { ...role, body });
  expect(refused.type).toBe('link-invalid');
});

test('a password of one’s own comes by standard input and is not told', async () => {
  const email = newEmail();
  const own = 'la palma de cera del Quindío';
  const { stdout } = await admin(
    ['create', '--email', email, '--name', 'Ana', '--password-stdin'],
    `${own}\n`,
  );
  expect(stdout).not.toContain(own);
  expect((await auth.logIn('admin', email, own)).status).toBe(200);
});

test.each(['short', 'password123'])('the password %j is refused, and nobody is made', async (weak) => {
  const email = newEmail();
  const { code, stderr } = await admin(
    ['create', '--email', email, '--name', 'Ana', '--password-stdin'],
    weak,
  );
  expect(code).toBe(1);
  expect(stderr).toMatch(/\.\n$/);
  expect((await auth.query('select from auth.accounts where email = $1', [email])).rowCount).toBe(0);
});

test('nobody has a password to change', async () => {
  const email = newEmail();
  expect(await admin(['password', '--email', email])).toMatchObject({
    code: 1,
    stderr: `There is no admin ${email}.\n`,
  });
});

test('an admin who lost the second factor gets in by password again', async () => {
  const { email, token } = await auth.someone('admin');
  const { body } = await auth.call('POST /api/auth/admin/second-factor', {
    token,
    body: { currentPassword: PASSWORD },
  });
  const code = await generate({ secret: body.secret });
  const confirmed = await auth.call('POST /api/auth/admin/second-factor/confirm', { token, body: { code } });
  expect(confirmed.status).toBe(200);
  expect((await auth.logIn('admin', email)).body.type).toBe('second-factor-required');
  const reset = () => admin(['reset-second-factor', '--email', email]);
  expect(await reset()).toEqual({ code: 0, stdout: `${email} logs in by password alone.\n`, stderr: '' });
  expect(await auth.isLoggedIn('admin', confirmed.body.token)).toBe(false);
  const told = await auth.events.next(
    'second_factor.changed',
    ({ data }) => data.email === email && data.enabled === false,
  );
  expect(told.data.role).toBe('admin');
  expect((await auth.logIn('admin', email)).status).toBe(200);
  expect((await reset()).stdout).toContain('had no two-factor log-in');
  const nobody = await admin(['reset-second-factor', '--email', 'nobody@example.org']);
  expect(nobody).toMatchObject({ code: 1, stderr: 'There is no admin nobody@example.org.\n' });
});

test('a donor is forgotten with the account, or without one where there is none', async () => {
  const { id, email } = await auth.someone('customer');
  expect((await admin(['erase', '--email', email])).stdout).toContain('The account is gone');
  const told = await auth.events.next('customer.erased', ({ data }) => data.email === email);
  expect(told.data).toMatchObject({ accountId: id, ordersToo: true });
  expect((await auth.logIn('customer', email)).status).toBe(401);
  const guest = newEmail();
  expect((await admin(['erase', '--email', guest])).stdout).toContain('There was no account');
  const ofGuest = await auth.events.next('customer.erased', ({ data }) => data.email === guest);
  expect(ofGuest.data.ordersToo).toBe(true);
});
