import { TEST_MAIL_TOKENS } from '@arboleda/chassis/testing/config.ts';
import { readArguments } from '../operator/command.ts';
import { run } from '../operator/run.ts';
import { openPasswords, type Passwords } from '../passwords/passwords.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { generate } from 'otplib/functional';
import { type Harness, newEmail, openHarness, PASSWORD } from './harness.ts';

let auth: Harness;
beforeAll(async () => {
  auth = await openHarness();
});
afterAll(() => auth.close());

describe('npm run admin', () => {
  const MAIN = join(import.meta.dirname, '..', 'operator', 'main.ts');

  let sql: Sql;
  let passwords: Passwords;
  beforeAll(async () => {
    sql = await auth.platform.sql('auth', new URL('../migrations/', import.meta.url));
    passwords = await openPasswords({ memoryKib: 64, passes: 1 });
  });
  afterAll(() => sql.close());

  async function spawned(args: string[], input = '') {
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
  const admin = (args: string[], input?: string) => run(readArguments(args), input, { sql, passwords });
  const shownPassword = (stdout: string) => /shown only now: (\S+)/.exec(stdout)?.[1] ?? '';

  const sessionOf = async (email: string, password: string) =>
    (await auth.logIn('admin', email, password)).body;

  test('a new admin can log in with the printed password', async () => {
    const email = newEmail();
    const { code, stdout } = await spawned(['create', '--email', email, '--name', 'Lucía Restrepo']);
    expect(code).toBe(0);
    expect((await sessionOf(email, shownPassword(stdout))).user).toMatchObject({
      email,
      name: 'Lucía Restrepo',
    });
  });

  test('a new admin has the role that was asked for, else an owner’s; a new password keeps it', async () => {
    const [plain, auditor] = [newEmail(), newEmail()];
    await admin(['create', '--email', plain, '--name', 'Ana'], PASSWORD);
    expect((await sessionOf(plain, PASSWORD)).user.adminRole).toBe('owner');
    await admin(['create', '--email', auditor, '--name', 'Ana', '--role', 'auditor'], PASSWORD);
    expect((await sessionOf(auditor, PASSWORD)).user.adminRole).toBe('auditor');
    await admin(['password', '--email', auditor], 'la palma de cera');
    expect((await sessionOf(auditor, 'la palma de cera')).user.adminRole).toBe('auditor');
  });

  test('the audit log says who became an admin, with which role', async () => {
    const email = newEmail();
    await admin(['create', '--email', email, '--name', 'Ana', '--role', 'auditor'], PASSWORD);
    const { rows } = await auth.query(
      `select entry ->> 'action' as action, entry #>> '{by,kind}' as by, entry -> 'after' as after from auth._audit_log
       where entry #>> '{after,email}' = $1`,
      [email],
    );
    expect(rows).toMatchObject([
      { action: 'admin.created', by: 'operator', after: { email, role: 'auditor', active: true } },
    ]);
  });

  test('an existing admin stays unchanged', async () => {
    const email = newEmail();
    await auth.putAccount({ email });
    await expect(admin(['create', '--email', email, '--name', 'Somebody Else'])).rejects.toThrow(
      `There is an admin ${email} already`,
    );
    expect((await sessionOf(email, PASSWORD)).user.name).toBe('Some Body');
  });

  test('a new password ends existing sessions', async () => {
    const email = newEmail();
    await auth.putAccount({ email });
    const { token } = await sessionOf(email, PASSWORD);
    const said = await admin(['password', '--email', email]);
    expect((await auth.logIn('admin', email, PASSWORD)).status).toBe(401);
    expect((await auth.call('GET /api/auth/admin/verify', { token })).status).toBe(401);
    expect((await sessionOf(email, shownPassword(said))).user.name).toBe('Some Body');
  });

  test('a new password invalidates emailed links', async () => {
    const { email } = await auth.someone('admin');
    const role = { params: { role: 'admin' } };
    await auth.call('POST /api/auth/{role}/forgot-password', { ...role, body: { email } });
    const { data } = await auth.events.next(
      'password.reset_requested',
      (event) => event.data.email === email,
    );
    await admin(['password', '--email', email]);
    const body = { token: await TEST_MAIL_TOKENS.open(data), password: 'el oso de anteojos' };
    const { body: refused } = await auth.call('POST /api/auth/{role}/reset-password', { ...role, body });
    expect(refused.type).toBe('link-invalid');
  });

  test('a password from standard input is not printed', async () => {
    const email = newEmail();
    const own = 'la palma de cera del Quindío';
    const { stdout } = await spawned(
      ['create', '--email', email, '--name', 'Ana', '--password-stdin'],
      `${own}\n`,
    );
    expect(stdout).not.toContain(own);
    expect((await auth.logIn('admin', email, own)).status).toBe(200);
  });

  test.each(['short', 'password123'])('the password %j is refused, and no admin is created', async (weak) => {
    const email = newEmail();
    await expect(
      admin(['create', '--email', email, '--name', 'Ana', '--password-stdin'], weak),
    ).rejects.toThrow(/\.\n$/);
    expect((await auth.query('select from auth.accounts where email = $1', [email])).rowCount).toBe(0);
  });

  test('the password of an unknown admin cannot be changed', async () => {
    const email = newEmail();
    expect(await spawned(['password', '--email', email])).toMatchObject({
      code: 1,
      stderr: `There is no admin ${email}.\n`,
    });
  });

  test('an admin without the second factor can log in by password after a reset', async () => {
    const { email, token } = await auth.someone('admin');
    const { body } = await auth.call('POST /api/auth/admin/second-factor', {
      token,
      body: { currentPassword: PASSWORD },
    });
    const code = await generate({ secret: body.secret });
    const confirmed = await auth.call('POST /api/auth/admin/second-factor/confirm', {
      token,
      body: { code },
    });
    expect(confirmed.status).toBe(200);
    expect((await auth.logIn('admin', email)).body.type).toBe('second-factor-required');
    const reset = () => admin(['reset-second-factor', '--email', email]);
    expect(await reset()).toBe(`${email} logs in by password alone.`);
    expect(await auth.isLoggedIn('admin', confirmed.body.token)).toBe(false);
    const published = await auth.events.next(
      'second_factor.changed',
      ({ data }) => data.email === email && data.enabled === false,
    );
    expect(published.data.role).toBe('admin');
    expect((await auth.logIn('admin', email)).status).toBe(200);
    expect(await reset()).toContain('had no two-factor login');
    await expect(admin(['reset-second-factor', '--email', 'nobody@example.org'])).rejects.toThrow(
      'There is no admin nobody@example.org.',
    );
  });

  test('a donor is erased with the account, or without one', async () => {
    const { id, email } = await auth.someone('customer');
    expect(await admin(['erase', '--email', email])).toContain('The account is gone');
    const published = await auth.events.next('customer.erased', ({ data }) => data.email === email);
    expect(published.data).toMatchObject({ accountId: id, ordersToo: true });
    expect((await auth.logIn('customer', email)).status).toBe(401);
    const guest = newEmail();
    expect(await admin(['erase', '--email', guest])).toContain('There was no account');
    const ofGuest = await auth.events.next('customer.erased', ({ data }) => data.email === guest);
    expect(ofGuest.data.ordersToo).toBe(true);
  });
});
