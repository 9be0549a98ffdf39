import { TEST_MAIL_TOKENS } from '@arboleda/chassis/testing/config.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { type Harness, newEmail, openHarness, PASSWORD } from './harness.ts';
import { openSecondFactorHarness, type SecondFactorHarness } from './second-factor-harness.ts';

type Owner = Awaited<ReturnType<SecondFactorHarness['protectedAdmin']>>;

let auth: Harness;
let factors: SecondFactorHarness;
let lucia: Owner;
beforeAll(async () => {
  auth = await openHarness();
  factors = openSecondFactorHarness(auth);
  lucia = await factors.protectedAdmin();
});
afterAll(() => auth.close());

const list = async (token = lucia.token) => {
  const { body } = await auth.call('GET /api/admin/admins', { token });
  return body.admins as { id: string }[];
};
const found = async (id: string) => (await list()).find((one) => one.id === id);
const invite = (changes: Record<string, unknown> = {}, token = lucia.token) =>
  auth.call('POST /api/admin/admins', {
    token,
    body: { name: 'Diego Mora', email: newEmail(), role: 'finance', ...changes },
  });
const put = (id: string, body: unknown, token = lucia.token, headers: Record<string, string> = {}) =>
  auth.call('PUT /api/admin/admins/{id}', { token, params: { id }, body, headers });
const ofId = (key: 'POST /api/admin/admins/{id}/invitation' | 'DELETE /api/admin/admins/{id}', id: string) =>
  auth.call(key, { token: lucia.token, params: { id } });
const mailedLink = async (email: string) =>
  TEST_MAIL_TOKENS.open((await auth.events.next('admin.invited', ({ data }) => data.email === email)).data);
const accept = (token: string) =>
  auth.call('POST /api/auth/{role}/reset-password', {
    params: { role: 'admin' },
    body: { token, password: PASSWORD },
  });
const changesOf = (id: string) =>
  auth.events.all('admin.role_changed').filter(({ data }) => data.accountId === id);

test('reads the audit log without the services that do not answer, and gets no file with gaps', async () => {
  await invite();
  const { body } = await auth.call('GET /api/admin/audit-log', { token: lucia.token, query: { limit: '1' } });
  expect(body.unavailable.toSorted()).toEqual(['assignments', 'notifications', 'orders', 'payments']);
  expect(body.rows).toMatchObject([{ service: 'auth' }]);
  const file = await auth.call('GET /api/admin/audit-log/export', { token: lucia.token });
  expect([file.status, file.body.type]).toEqual([503, 'unavailable']);
});

describe('an owner', () => {
  test('invites a colleague, who sets a password and has the role', async () => {
    const { status, body } = await invite({ role: 'coordinator', language: 'en' });
    const { id, email } = body.admin as { id: string; email: string };
    expect(status).toBe(201);
    expect(body.admin).toEqual({
      id,
      email,
      name: 'Diego Mora',
      role: 'coordinator',
      language: 'en',
      active: true,
      invitationPending: true,
      hasSecondFactor: false,
      createdAt: expect.any(String),
      revision: 0,
    });
    expect((await auth.logIn('admin', email)).status).toBe(401);
    expect((await accept(await mailedLink(email))).body).toEqual({ email, token: expect.any(String) });
    const session = await auth.logIn('admin', email);
    expect(session.body.user.adminRole).toBe('coordinator');
    expect(decodeJwt(session.body.token)).toMatchObject({ aud: 'admin', admin_role: 'coordinator' });
    expect(await found(id)).toMatchObject({ invitationPending: false, lastLogInAt: expect.any(String) });
  });

  test('sees who has two-factor login', async () => {
    expect(await found(lucia.id)).toMatchObject({ role: 'owner', hasSecondFactor: true, active: true });
  });

  test('gives another role: the sessions end at once, and the admin hears of it', async () => {
    const diego = await auth.someone('admin', { adminRole: 'support' });
    const { status, body } = await put(diego.id, { role: 'finance' });
    expect([status, body.admin.role]).toEqual([200, 'finance']);
    expect(await auth.isLoggedIn('admin', diego.token)).toBe(false);
    const { data } = await auth.events.next(
      'admin.role_changed',
      (event) => event.data.accountId === diego.id,
    );
    expect(data).toMatchObject({
      email: diego.email,
      from: 'support',
      to: 'finance',
      active: true,
      by: { role: 'admin', id: lucia.id },
    });
    expect((await auth.logIn('admin', diego.email)).body.user.adminRole).toBe('finance');
  });

  test('deactivates an admin, who is logged out and cannot come back until reactivated', async () => {
    const diego = await auth.someone('admin', { adminRole: 'finance' });
    expect((await put(diego.id, { active: false })).body.admin.active).toBe(false);
    expect(await auth.isLoggedIn('admin', diego.token)).toBe(false);
    expect((await auth.logIn('admin', diego.email)).status).toBe(401);
    expect((await put(diego.id, { active: true })).body.admin.active).toBe(true);
    expect((await auth.logIn('admin', diego.email)).status).toBe(200);
    expect(changesOf(diego.id).map(({ data }) => data.active)).toEqual([false, true]);
  });

  test('changes a name without ending sessions, and only the version that was read', async () => {
    const diego = await auth.someone('admin', { adminRole: 'finance' });
    const first = await put(diego.id, { name: 'Diego M.' }, lucia.token, { 'If-Match': '"0"' });
    expect([first.status, first.headers.get('etag')]).toEqual([200, '"1"']);
    const late = await put(diego.id, { role: 'owner' }, lucia.token, { 'If-Match': '"0"' });
    expect([late.status, late.body.type]).toEqual([412, 'precondition-failed']);
    expect(await auth.isLoggedIn('admin', diego.token)).toBe(true);
  });

  test('changes neither their own role nor deactivates themselves', async () => {
    for (const change of [{ role: 'support' }, { active: false }, { name: 'Lu', role: 'auditor' }]) {
      const { status, body } = await put(lucia.id, change);
      expect([status, body.type]).toEqual([409, 'own-role']);
    }
    expect(await found(lucia.id)).toMatchObject({ role: 'owner', active: true, name: 'Some Body' });
    expect((await put(lucia.id, { name: 'Lucía' })).body.admin.name).toBe('Lucía');
    expect(await auth.isLoggedIn('admin', lucia.token)).toBe(true);
  });

  test('sends an invitation again, which replaces the former one', async () => {
    const { id, email } = (await invite()).body.admin as { id: string; email: string };
    const former = await mailedLink(email);
    expect((await ofId('POST /api/admin/admins/{id}/invitation', id)).status).toBe(202);
    expect((await accept(former)).body.type).toBe('link-invalid');
    expect((await accept(await mailedLink(email))).status).toBe(200);
    expect((await ofId('POST /api/admin/admins/{id}/invitation', id)).body.type).toBe('invitation-accepted');
  });

  test('sends many invitations again at once', async () => {
    const invited = await Promise.all(Array.from({ length: 8 }, () => invite()));
    const answers = await Promise.all(
      invited.map(({ body }) => ofId('POST /api/admin/admins/{id}/invitation', body.admin.id)),
    );
    expect(answers.map(({ status }) => status)).toEqual(invited.map(() => 202));
  });

  test('gives an invited colleague another role, who hears of roles only once they have joined', async () => {
    const { id, email } = (await invite({ role: 'support' })).body.admin as { id: string; email: string };
    const link = await mailedLink(email);
    await put(id, { role: 'finance' });
    expect((await accept(link)).status).toBe(200);
    expect((await auth.logIn('admin', email)).body.user.adminRole).toBe('finance');
    await put(id, { role: 'auditor' });
    await auth.events.next('admin.role_changed', ({ data }) => data.accountId === id);
    expect(changesOf(id).map(({ data }) => [data.from, data.to])).toEqual([['finance', 'auditor']]);
  });

  test('removes only who never accepted; the link no longer works', async () => {
    const { id, email } = (await invite()).body.admin as { id: string; email: string };
    const link = await mailedLink(email);
    expect((await ofId('DELETE /api/admin/admins/{id}', id)).status).toBe(204);
    expect((await accept(link)).body.type).toBe('link-invalid');
    expect(await found(id)).toBeUndefined();
    const diego = await auth.someone('admin');
    expect((await ofId('DELETE /api/admin/admins/{id}', diego.id)).body.type).toBe('admin-has-joined');
  });

  test('deactivates an invited colleague, whose link and invitation then stop', async () => {
    const { id, email } = (await invite()).body.admin as { id: string; email: string };
    const link = await mailedLink(email);
    await put(id, { active: false });
    expect((await accept(link)).body.type).toBe('link-invalid');
    expect((await ofId('POST /api/admin/admins/{id}/invitation', id)).body.type).toBe('admin-inactive');
  });

  test('is told which field is wrong, and nothing changes', async () => {
    const taken = await invite({ email: lucia.email.toUpperCase() });
    expect([taken.status, taken.body.type, taken.body.errors[0].path]).toEqual([
      409,
      'admin-email-taken',
      'email',
    ]);
    const before = await list();
    for (const [path, wrong] of Object.entries({
      name: ' ',
      email: 'nobody',
      role: 'root',
      language: 'fr',
    })) {
      const { status, body } = await invite({ [path]: wrong });
      expect([status, body.errors[0].path]).toEqual([422, path]);
    }
    expect(await list()).toEqual(before);
  });

  test('finds no admin in a worker or a stranger', async () => {
    const worker = await auth.someone('worker');
    for (const id of [worker.id, 'nobody']) {
      expect((await put(id, { role: 'owner' })).status).toBe(404);
      expect((await ofId('DELETE /api/admin/admins/{id}', id)).status).toBe(404);
    }
  });
});

test('the audit log says who gave whom which role', async () => {
  const { id, email } = (await invite({ role: 'support' })).body.admin as { id: string; email: string };
  await put(id, { role: 'finance' });
  await put(id, { role: 'finance' });
  await ofId('POST /api/admin/admins/{id}/invitation', id);
  await ofId('DELETE /api/admin/admins/{id}', id);
  const { rows } = await auth.query(
    `select entry ->> 'action' as action, entry #>> '{by,id}' as by, entry -> 'before' as before, entry -> 'after' as after
     from auth._audit_log where entry #>> '{object,id}' = $1 order by seq`,
    [id],
  );
  expect(rows).toMatchObject([
    { action: 'admin.added', after: { email, role: 'support', active: true } },
    { action: 'admin.changed', before: { role: 'support' }, after: { role: 'finance' } },
    { action: 'admin.invited' },
    { action: 'admin.removed', before: { email, role: 'finance' } },
  ]);
  expect(new Set(rows.map(({ by }) => by))).toEqual(new Set([lucia.id]));
});

test('the audit log names the admin who accepts an invitation or sets a new password by an emailed link', async () => {
  const { id, email } = (await invite({ role: 'auditor' })).body.admin as { id: string; email: string };
  await accept(await mailedLink(email));
  await auth.call('POST /api/auth/{role}/forgot-password', { params: { role: 'admin' }, body: { email } });
  const { data } = await auth.events.next('password.reset_requested', (event) => event.data.email === email);
  expect((await accept(await TEST_MAIL_TOKENS.open(data))).status).toBe(200);
  const { rows } = await auth.query(
    `select entry ->> 'action' as action, entry -> 'by' as by from auth._audit_log
     where entry #>> '{object,id}' = $1 and entry #>> '{by,id}' = $1 order by seq`,
    [id],
  );
  const by = { kind: 'admin', id, email, name: 'Diego Mora', role: 'auditor' };
  expect(rows).toEqual([
    { action: 'admin.joined', by },
    { action: 'admin.password_reset', by },
  ]);
});

describe('managing admins is refused', () => {
  test('to an owner without two-factor login', async () => {
    const ana = await auth.someone('admin');
    const answers = [await invite({}, ana.token), await put(lucia.id, { role: 'support' }, ana.token)];
    for (const { status, body } of answers)
      expect([status, body.type]).toEqual([403, 'second-factor-needed']);
    expect(await found(lucia.id)).toMatchObject({ role: 'owner' });
  });

  test.each(['finance', 'coordinator', 'support', 'auditor'])(
    'to %s, also for their own role',
    async (adminRole) => {
      const ana = await auth.someone('admin', { adminRole });
      for (const { status, body } of [
        await invite({}, ana.token),
        await put(ana.id, { role: 'owner' }, ana.token),
      ])
        expect([status, body.type]).toEqual([403, 'forbidden']);
      expect(await found(ana.id)).toMatchObject({ role: adminRole });
    },
  );

  test('to an owner who gave the second factor more than ten minutes ago, until it is given again', async () => {
    const owner = await factors.protectedAdmin();
    auth.setClock(() => new Date(Date.now() - 660_000));
    const early = await factors.logIn(owner.email, owner.codes[0]);
    auth.setClock(() => new Date());
    const late = await invite({}, early.body.token);
    expect([late.status, late.body.type]).toEqual([403, 'step-up-required']);
    const again = await auth.call('POST /api/auth/admin/step-up', {
      token: early.body.token,
      body: { code: owner.codes[1] },
    });
    expect((await invite({}, again.body.token)).status).toBe(201);
  });
});

describe('there is always an owner with two-factor login', () => {
  test('when two owners take each other’s role at once', async () => {
    for (let round = 0; round < 5; round++) {
      const [ana, diego] = [await factors.protectedAdmin(), await factors.protectedAdmin()];
      const answers = await Promise.all([
        put(diego.id, { role: 'support' }, ana.token),
        put(ana.id, { role: 'support' }, diego.token),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
      const roles = (await list()).filter(({ id }) => [ana.id, diego.id].includes(id));
      expect(roles.map((one) => (one as unknown as { role: string }).role).sort()).toEqual([
        'owner',
        'support',
      ]);
    }
  });

  test('as the last one cannot turn it off while there are other admins', async () => {
    const fresh = await openHarness();
    try {
      const only = openSecondFactorHarness(fresh);
      const [ana, diego] = [await only.protectedAdmin(), await only.protectedAdmin()];
      await fresh.someone('admin', { adminRole: 'finance' });
      const off = async ({ token, codes }: Owner, code = 0) =>
        only.post('disable', token, { currentPassword: PASSWORD, code: codes[code] });
      const both = await Promise.all([off(ana), off(diego)]);
      expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
      const refused = both.findIndex(({ status }) => status === 409);
      expect(both[refused]!.body.type).toBe('last-owner');
      const last = [ana, diego][refused]!;
      expect(await only.status(last.token)).toEqual({ enabled: true, recoveryCodesLeft: 10 });
      await fresh.query(`update auth.accounts set active = false where id <> $1`, [last.id]);
      expect((await off(last)).status).toBe(200);
    } finally {
      await fresh.close();
    }
  });
});

test('an operator’s change of a role ends the sessions, and the admin hears of it', async () => {
  const diego = await auth.someone('admin', { adminRole: 'support' });
  await auth.putAccount({ email: diego.email, adminRole: 'auditor', emailVerified: true });
  expect(await auth.isLoggedIn('admin', diego.token)).toBe(false);
  const { data } = await auth.events.next('admin.role_changed', (event) => event.data.accountId === diego.id);
  expect([data.from, data.to, data.by]).toEqual(['support', 'auditor', undefined]);
});
