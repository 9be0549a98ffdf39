import { decodeJwt } from 'jose';
import { TEST_MAIL_TOKENS } from '@arboleda/chassis/testing/config.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type Harness, newAddress, openHarness, PASSWORD } from './harness.ts';
import { openSecondFactorHarness, type SecondFactorHarness } from './second-factor-harness.ts';

let auth: Harness;

let factors: SecondFactorHarness;

beforeAll(async () => {
  auth = await openHarness();
  factors = openSecondFactorHarness(auth);
});

afterEach(() => auth.setClock(() => new Date()));

afterAll(() => auth.close());

describe('setting up a second factor', () => {
  test('begins with a secret for the app, which is active once a code confirms it', async () => {
    const { token, email } = await auth.someone('admin');
    const { status: answered, body } = await factors.begin(token);
    expect(answered).toBe(200);
    const url = new URL(body.otpauthUrl);
    expect([url.protocol, url.host, decodeURIComponent(url.pathname)]).toEqual([
      'otpauth:',
      'totp',
      `/Arboleda:${email}`,
    ]);
    expect([url.searchParams.get('secret'), url.searchParams.get('issuer')]).toEqual([
      body.secret,
      'Arboleda',
    ]);
    expect(await factors.status(token)).toEqual({ enabled: false, recoveryCodesLeft: 0 });
    expect((await factors.logIn(email)).status).toBe(200);
  });

  test('ends with ten recovery codes', async () => {
    const { token, codes } = await factors.protectedAdmin();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^([a-z2-9]{4}-){3}[a-z2-9]{4}$/);
    expect(await factors.status(token)).toEqual({ enabled: true, recoveryCodesLeft: 10 });
  });

  test('may start again before it is confirmed, which invalidates the first secret', async () => {
    const { token } = await auth.someone('admin');
    const [first, second] = [(await factors.begin(token)).body, (await factors.begin(token)).body];
    const wrong = await factors.post('confirm', token, { code: await factors.app(first.secret).next() });
    expect([wrong.status, wrong.body.errors[0]]).toEqual([
      422,
      expect.objectContaining({ path: 'code', type: 'second-factor-invalid' }),
    ]);
    expect(
      (await factors.post('confirm', token, { code: await factors.app(second.secret).next() })).status,
    ).toBe(200);
  });

  test('is refused while one is on', async () => {
    const { token, phone } = await factors.protectedAdmin();
    for (const answer of [
      await factors.begin(token),
      await factors.post('confirm', token, { code: await phone.next() }),
    ]) {
      expect([answer.status, answer.body.type]).toEqual([409, 'second-factor-on']);
    }
  });

  test('is confirmed once by two concurrent calls', async () => {
    const { token } = await auth.someone('admin');
    const code = await factors.app((await factors.begin(token)).body.secret).next();
    const answers = await Promise.all([
      factors.post('confirm', token, { code }),
      factors.post('confirm', token, { code }),
    ]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 401]);
    const { body } = answers.find((answer) => answer.status === 200)!;
    expect(await factors.status(body.token)).toEqual({ enabled: true, recoveryCodesLeft: 10 });
  });

  test('stores nothing in the clear', async () => {
    const { id, secret, codes } = await factors.protectedAdmin();
    const kept = await auth.query(
      `select encode(sealed_secret, 'escape') as sealed, f::text as row, array(select c::text from auth.recovery_codes c
       where c.account_id = f.account_id) as codes from auth.second_factors f where account_id = $1`,
      [id],
    );
    const text = JSON.stringify(kept.rows);
    for (const shown of [secret, ...codes, ...codes.map((code) => code.replaceAll('-', ''))]) {
      expect(text).not.toContain(shown);
      expect(text).not.toContain(Buffer.from(shown).toString('hex'));
    }
  });

  test('is required before it can be confirmed, turned off or renewed', async () => {
    const { token } = await auth.someone('admin');
    for (const answer of [
      await factors.post('confirm', token, { code: '123456' }),
      await factors.post('disable', token, { code: '123456', currentPassword: PASSWORD }),
      await factors.post('recovery-codes', token, { code: '123456' }),
    ]) {
      expect([answer.status, answer.body.type]).toEqual([409, 'second-factor-off']);
    }
  });

  test('requires the password, against unattended sessions', async () => {
    const { token } = await auth.someone('admin');
    const { status: answered, body } = await factors.begin(token, 'not the password');
    expect([answered, body.errors[0]]).toEqual([
      422,
      expect.objectContaining({ path: 'currentPassword', type: 'wrong-password' }),
    ]);
    expect((await factors.post('confirm', token, { code: '123456' })).body.type).toBe('second-factor-off');
  });

  test('ends all other sessions, and notifies its owner', async () => {
    const { id, token, former } = await factors.protectedAdmin();
    expect(await auth.isLoggedIn('admin', former)).toBe(false);
    expect(await auth.isLoggedIn('admin', token)).toBe(true);
    const { data } = await auth.events.next('second_factor.changed', (event) => event.data.accountId === id);
    expect(data).toMatchObject({ role: 'admin', enabled: true });
  });

  test('is for admins only', async () => {
    for (const role of ['customer', 'worker'] as const) {
      const { token } = await auth.someone(role);
      expect((await factors.begin(token)).status).toBe(403);
    }
    expect((await auth.call('POST /api/auth/admin/second-factor')).status).toBe(401);
  });
});

describe('turning it off', () => {
  test('requires the password and a code; after that the password is enough', async () => {
    const { email, token, phone, codes } = await factors.protectedAdmin();
    const answer = await factors.post('disable', token, {
      currentPassword: PASSWORD,
      code: await phone.next(),
    });
    expect(answer.status).toBe(200);
    const fresh = answer.body.token as string;
    expect(await factors.status(fresh)).toEqual({ enabled: false, recoveryCodesLeft: 0 });
    expect((await factors.logIn(email)).status).toBe(200);
    expect((await factors.begin(fresh)).status).toBe(200);
    expect((await factors.post('confirm', fresh, { code: codes[0]! })).status).toBe(422);
  });

  test('ends all other sessions, and notifies its owner', async () => {
    const { id, email, token, phone, codes } = await factors.protectedAdmin();
    const elsewhere = (await factors.logIn(email, codes[0])).body.token as string;
    const shown = { currentPassword: PASSWORD, code: await phone.next() };
    await factors.post('disable', token, shown);
    for (const ended of [token, elsewhere]) expect(await auth.isLoggedIn('admin', ended)).toBe(false);
    await auth.events.next(
      'second_factor.changed',
      ({ data }) => data.accountId === id && data.enabled === false,
    );
    expect(factors.notices(id)).toEqual([true, false]);
  });

  test('gives no further guesses at the code with a correct password', async () => {
    const { token, codes } = await factors.protectedAdmin();
    const headers = { 'X-Forwarded-For': newAddress() };
    const disable = (code: string) =>
      auth.call('POST /api/auth/admin/second-factor/disable', {
        token,
        headers,
        body: { currentPassword: PASSWORD, code },
      });
    const statuses: number[] = [];
    for (let time = 0; time < 10; time++) statuses.push((await disable('wrong')).status);
    expect(statuses).toEqual([...Array(9).fill(422), 429]);
    expect((await disable(codes[0]!)).status).toBe(429);
  });

  test('works with a recovery code', async () => {
    const { token, codes } = await factors.protectedAdmin();
    const answer = await factors.post('disable', token, { currentPassword: PASSWORD, code: codes[9] });
    expect(answer.status).toBe(200);
  });

  test.each([
    ['the password', 'currentPassword', { currentPassword: 'not the password' }],
    ['the code', 'code', { code: '000000' }],
    ['the code, missing', 'code', { code: undefined }],
    ['the password, missing', 'currentPassword', { currentPassword: undefined }],
  ])('is refused when %s is wrong', async (_what, path, wrong) => {
    const { token, codes } = await factors.protectedAdmin();
    const answer = await factors.post('disable', token, {
      currentPassword: PASSWORD,
      code: codes[0],
      ...wrong,
    });
    expect([answer.status, answer.body.errors[0].path]).toEqual([422, path]);
    expect(await factors.status(token)).toEqual({ enabled: true, recoveryCodesLeft: 10 });
  });
});

describe('the second factor, given again', () => {
  const stepUp = (token: string, code: unknown) =>
    auth.call('POST /api/auth/admin/step-up', { token, body: { code } });
  const claimsOf = (token: string) => decodeJwt(token) as { otp_at?: number; exp: number };

  test('gives a new token that says when, until the same end; the session goes on', async () => {
    const { token, phone } = await factors.protectedAdmin();
    const code = await phone.next();
    const { status, body } = await stepUp(token, code);
    expect(status).toBe(200);
    expect(claimsOf(body.token).otp_at).toBeGreaterThan(claimsOf(token).otp_at!);
    expect(claimsOf(body.token).exp).toBe(claimsOf(token).exp);
    for (const one of [token, body.token]) expect(await auth.isLoggedIn('admin', one)).toBe(true);
  });

  test('works with a recovery code, and with each code once', async () => {
    const { token, phone, codes } = await factors.protectedAdmin();
    expect((await stepUp(token, codes[0])).status).toBe(200);
    const code = await phone.next();
    expect((await stepUp(token, code)).status).toBe(200);
    for (const used of [codes[0], code]) {
      const { status, body } = await stepUp(token, used);
      expect([status, body.errors[0].type]).toEqual([422, 'second-factor-invalid']);
    }
  });

  test('counts wrong codes as login attempts', async () => {
    const { token, email, codes } = await factors.protectedAdmin();
    const guess = () =>
      auth.call('POST /api/auth/admin/step-up', {
        token,
        body: { code: '000000' },
        headers: { 'X-Forwarded-For': '10.9.9.9' },
      });
    const statuses: number[] = [];
    for (let time = 0; time < 10; time++) statuses.push((await guess()).status);
    expect(statuses).toEqual([...Array(9).fill(422), 429]);
    expect((await guess()).status).toBe(429);
    expect((await factors.logIn(email, codes[0])).status).toBe(200);
  });

  test('is refused to an admin who has none', async () => {
    const { token } = await auth.someone('admin');
    const { status, body } = await stepUp(token, '123456');
    expect([status, body.type]).toEqual([409, 'second-factor-off']);
    expect(claimsOf(token)).not.toHaveProperty('otp_at');
  });

  test('is remembered by a login with a code, and by the tokens that replace it', async () => {
    const { email, phone } = await factors.protectedAdmin();
    const { token } = (await factors.logIn(email, await phone.next())).body as { token: string };
    const at = claimsOf(token).otp_at;
    expect(at).toEqual(expect.any(Number));
    const named = await auth.call('PUT /api/auth/me', { token, body: { name: 'Ana' } });
    expect(claimsOf(named.body.token).otp_at).toBe(at);
    const changed = await auth.call('PUT /api/auth/me/password', {
      token: named.body.token,
      body: { currentPassword: PASSWORD, newPassword: 'la palma de cera' },
    });
    expect(claimsOf(changed.body.token).otp_at).toBe(at);
  });
});

describe('new recovery codes', () => {
  test('replace the former ones', async () => {
    const { email, token, phone, codes } = await factors.protectedAdmin();
    const { body } = await factors.post('recovery-codes', token, { code: await phone.next() });
    expect(body.recoveryCodes).toHaveLength(10);
    expect((await factors.logIn(email, codes[0])).status).toBe(401);
    expect((await factors.logIn(email, body.recoveryCodes[0])).status).toBe(200);
    expect(await factors.status(token)).toEqual({ enabled: true, recoveryCodesLeft: 9 });
  });

  test('are issued once per correct code', async () => {
    const { token, phone } = await factors.protectedAdmin();
    expect((await factors.post('recovery-codes', token, { code: '000000' })).status).toBe(422);
    const code = await phone.next();
    const answers = await Promise.all([
      factors.post('recovery-codes', token, { code }),
      factors.post('recovery-codes', token, { code }),
    ]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 422]);
  });
});

describe('logging in with a second factor', () => {
  test('requires a code before it gives a session', async () => {
    const { email, phone } = await factors.protectedAdmin();
    const asked = await factors.logIn(email);
    expect([asked.status, asked.body.type]).toEqual([401, 'second-factor-required']);
    const { status: answered, body } = await factors.logIn(email, await phone.next());
    expect(answered).toBe(200);
    expect(await auth.isLoggedIn('admin', body.token)).toBe(true);
  });

  test('mentions it only after a correct password', async () => {
    const { email, phone } = await factors.protectedAdmin();
    for (const code of [undefined, '000000', await phone.next()]) {
      const { status: answered, body } = await factors.logIn(email, code, 'not the password');
      expect([answered, body.type]).toEqual([401, 'invalid-credentials']);
    }
  });

  test('accepts a phone’s clock that is half a minute off, not more', async () => {
    const { email, phone } = await factors.protectedAdmin();
    await phone.next();
    await phone.next();
    await phone.next();
    for (const steps of [-2, 2]) expect((await factors.logIn(email, await phone.at(steps))).status).toBe(401);
    expect((await factors.logIn(email, await phone.at(-1))).status).toBe(200);
    expect((await factors.logIn(email, await phone.at(1))).status).toBe(200);
  });

  test('accepts no code twice, and none older than a used one', async () => {
    const { email, phone } = await factors.protectedAdmin();
    await phone.next();
    const code = await phone.next();
    expect((await factors.logIn(email, code)).status).toBe(200);
    for (const replayed of [code, await phone.at(-1)]) {
      const { status: answered, body } = await factors.logIn(email, replayed);
      expect([answered, body.type]).toEqual([401, 'second-factor-invalid']);
    }
  });

  test('accepts a code once when it is sent twice at once', async () => {
    const { email, phone } = await factors.protectedAdmin();
    const code = await phone.next();
    const answers = await Promise.all([
      factors.logIn(email, code),
      factors.logIn(email, code),
      factors.logIn(email, code),
    ]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 401, 401]);
  });

  test('accepts each recovery code once, however it is typed', async () => {
    const { email, token, codes } = await factors.protectedAdmin();
    const typed = ` ${codes[0]!.toUpperCase().replaceAll('-', ' ')} `;
    expect((await factors.logIn(email, typed)).status).toBe(200);
    expect((await factors.logIn(email, codes[0])).body.type).toBe('second-factor-invalid');
    const both = await Promise.all([factors.logIn(email, codes[1]), factors.logIn(email, codes[1])]);
    expect(both.map((answer) => answer.status).sort()).toEqual([200, 401]);
    expect(await factors.status(token)).toEqual({ enabled: true, recoveryCodesLeft: 8 });
  });

  test('refuses another admin’s codes', async () => {
    const [one, other] = [await factors.protectedAdmin(), await factors.protectedAdmin()];
    expect((await factors.logIn(one.email, other.codes[0])).status).toBe(401);
    expect((await factors.logIn(one.email, await other.phone.next())).status).toBe(401);
  });

  test('limits guesses like passwords; requests without a code do not reset the limit', async () => {
    const { email, codes } = await factors.protectedAdmin();
    const address = newAddress();
    const statuses: number[] = [];
    for (let time = 0; time < 10; time++) {
      expect((await factors.logIn(email, undefined, PASSWORD, address)).body.type).toBe(
        'second-factor-required',
      );
      statuses.push((await factors.logIn(email, 'wrong', PASSWORD, address)).status);
    }
    expect(statuses).toEqual([...Array(9).fill(401), 429]);
    expect((await factors.logIn(email, codes[0], PASSWORD, address)).status).toBe(429);
    expect((await factors.logIn(email, codes[0])).status).toBe(200);
  });

  test('limits guesses over all networks, but not for its owner on a known network', async () => {
    const { email, codes } = await factors.protectedAdmin();
    const home = newAddress();
    expect((await factors.logIn(email, codes[1], PASSWORD, home)).status).toBe(200);
    const statuses: number[] = [];
    for (let time = 0; time < 21; time++) statuses.push((await factors.logIn(email, '000000')).status);
    expect(statuses).toEqual([...Array(20).fill(401), 429]);
    expect((await factors.logIn(email, codes[0])).status).toBe(429);
    expect((await factors.logIn(email, '000000', 'not the password')).status).toBe(401);
    expect((await factors.logIn(email, codes[0], PASSWORD, home)).status).toBe(200);
  });

  test('forgets wrong codes after a correct one', async () => {
    const { email, codes } = await factors.protectedAdmin();
    for (const code of codes.slice(0, 3)) {
      for (let time = 0; time < 15; time++) await factors.logIn(email, '000000');
      expect((await factors.logIn(email, code)).status).toBe(200);
    }
  });

  test('counts no failure without a code', async () => {
    const { email, phone } = await factors.protectedAdmin();
    const address = newAddress();
    for (let time = 0; time < 15; time++) {
      expect((await factors.logIn(email, undefined, PASSWORD, address)).body.type).toBe(
        'second-factor-required',
      );
    }
    expect((await factors.logIn(email, await phone.next(), PASSWORD, address)).status).toBe(200);
  });

  test.each([['x'.repeat(41)], [''], [42]])('names the code at fault in %j', async (code) => {
    const { email } = await auth.someone('admin');
    const { status: answered, body } = await factors.logIn(email, code);
    expect([answered, body.errors[0].path]).toEqual([422, 'code']);
  });

  test('is required after a password reset, too', async () => {
    const { email, codes } = await factors.protectedAdmin();
    const other = 'la palma de cera del Quindío';
    await auth.call('POST /api/auth/{role}/forgot-password', { params: { role: 'admin' }, body: { email } });
    const { data } = await auth.events.next(
      'password.reset_requested',
      (event) => event.data.email === email,
    );
    const { body } = await auth.call('POST /api/auth/{role}/reset-password', {
      params: { role: 'admin' },
      body: { token: await TEST_MAIL_TOKENS.open(data), password: other },
    });
    expect(body).toEqual({ email });
    expect((await factors.logIn(email, undefined, other)).body.type).toBe('second-factor-required');
    expect((await factors.logIn(email, codes[0], other)).status).toBe(200);
  });
});
