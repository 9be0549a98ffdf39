import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { generate } from 'otplib/functional';
import { newAddress, openHarness, PASSWORD } from './harness.ts';

let auth: Awaited<ReturnType<typeof openHarness>>;
beforeAll(async () => {
  auth = await openHarness();
});
afterEach(() => auth.setClock(() => new Date()));
afterAll(() => auth.close());

const FACTOR = 'POST /api/auth/admin/second-factor';
const STEP_MS = 30_000;
const status = async (token: string) =>
  (await auth.call('GET /api/auth/admin/second-factor', { token })).body;
const begin = (token: string) => auth.call(FACTOR, { token });
const post = (what: 'confirm' | 'disable' | 'recovery-codes', token: string, body: unknown) =>
  auth.call(`${FACTOR}/${what}`, { token, body });
const logIn = (email: string, code?: unknown, password = PASSWORD, address = newAddress()) =>
  auth.call('POST /api/auth/admin/login', {
    body: { email, password, ...(code !== undefined && { code }) },
    headers: { 'X-Forwarded-For': address },
  });

/** An authenticator app; every code it gives is a step later than the one before, and auth's clock goes along. */
function app(secret: string) {
  let now = Date.now();
  return {
    /** @param steps before or after auth's clock */
    at: (steps: number) => generate({ secret, epoch: now / 1000 + steps * 30 }),
    next: async () => {
      now += STEP_MS;
      auth.setClock(() => new Date(now));
      return generate({ secret, epoch: now / 1000 });
    },
  };
}

async function protectedAdmin() {
  const admin = await auth.someone('admin');
  const { body } = await begin(admin.token);
  const phone = app(body.secret);
  const confirmed = await post('confirm', admin.token, { code: await phone.next() });
  expect(confirmed.status).toBe(200);
  return { ...admin, phone, secret: body.secret as string, codes: confirmed.body.recoveryCodes as string[] };
}

describe('setting up a second factor', () => {
  test('begins with a secret for the app, which counts only when a code confirms it', async () => {
    const { token, email } = await auth.someone('admin');
    const { status: answered, body } = await begin(token);
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
    expect(await status(token)).toEqual({ enabled: false, recoveryCodesLeft: 0 });
    expect((await logIn(email)).status).toBe(200);
  });

  test('ends with ten recovery codes', async () => {
    const { token, codes } = await protectedAdmin();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^([a-z2-9]{4}-){3}[a-z2-9]{4}$/);
    expect(await status(token)).toEqual({ enabled: true, recoveryCodesLeft: 10 });
  });

  test('may begin anew until then: the former secret is of no use', async () => {
    const { token } = await auth.someone('admin');
    const [first, second] = [(await begin(token)).body, (await begin(token)).body];
    const wrong = await post('confirm', token, { code: await app(first.secret).next() });
    expect([wrong.status, wrong.body.errors[0]]).toEqual([
      422,
      expect.objectContaining({ path: 'code', type: 'second-factor-invalid' }),
    ]);
    expect((await post('confirm', token, { code: await app(second.secret).next() })).status).toBe(200);
  });

  test('is not done over while one is on', async () => {
    const { token, phone } = await protectedAdmin();
    for (const answer of [await begin(token), await post('confirm', token, { code: await phone.next() })]) {
      expect([answer.status, answer.body.type]).toEqual([409, 'second-factor-on']);
    }
  });

  test('is done once when two confirm at once', async () => {
    const { token } = await auth.someone('admin');
    const code = await app((await begin(token)).body.secret).next();
    const answers = await Promise.all([post('confirm', token, { code }), post('confirm', token, { code })]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409]);
    expect(await status(token)).toEqual({ enabled: true, recoveryCodesLeft: 10 });
  });

  test('leaves nothing in the database that gives it away', async () => {
    const { id, secret, codes } = await protectedAdmin();
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

  test('without having begun is refused, and so is what needs one', async () => {
    const { token } = await auth.someone('admin');
    for (const answer of [
      await post('confirm', token, { code: '123456' }),
      await post('disable', token, { code: '123456', currentPassword: PASSWORD }),
      await post('recovery-codes', token, { code: '123456' }),
    ]) {
      expect([answer.status, answer.body.type]).toEqual([409, 'second-factor-off']);
    }
  });

  test('is for admins alone', async () => {
    for (const role of ['customer', 'worker'] as const) {
      const { token } = await auth.someone(role);
      expect((await begin(token)).status).toBe(403);
    }
    expect((await auth.call(FACTOR)).status).toBe(401);
  });

  test('needs the server to have a key for it, and says which', async () => {
    const keyless = await auth.start({ secondFactorKey: undefined });
    const { email } = await auth.someone('admin');
    const { body } = await auth.logIn('admin', email, PASSWORD, newAddress(), keyless.url);
    const answer = await fetch(`${keyless.url}/api/auth/admin/second-factor`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${body.token}` },
    });
    expect(answer.status).toBe(409);
    const problem = (await answer.json()) as { type: string; error: string };
    expect(problem).toMatchObject({ type: 'second-factor-unavailable' });
    expect(problem.error).toContain('AUTH_SECOND_FACTOR_KEY');
  });
});

describe('logging in with a second factor', () => {
  test('asks for the code, takes it, and gives a session', async () => {
    const { email, phone } = await protectedAdmin();
    const asked = await logIn(email);
    expect([asked.status, asked.body.type]).toEqual([401, 'second-factor-required']);
    const { status: answered, body } = await logIn(email, await phone.next());
    expect(answered).toBe(200);
    expect(await auth.isLoggedIn('admin', body.token)).toBe(true);
  });

  test('speaks of it only to who has the password', async () => {
    const { email, phone } = await protectedAdmin();
    for (const code of [undefined, '000000', await phone.next()]) {
      const { status: answered, body } = await logIn(email, code, 'not the password');
      expect([answered, body.type]).toEqual([401, 'invalid-credentials']);
    }
  });

  test('takes a code of a phone whose clock is half a minute off, not more', async () => {
    const { email, phone } = await protectedAdmin();
    await phone.next();
    await phone.next();
    await phone.next();
    for (const steps of [-2, 2]) expect((await logIn(email, await phone.at(steps))).status).toBe(401);
    expect((await logIn(email, await phone.at(-1))).status).toBe(200);
    expect((await logIn(email, await phone.at(1))).status).toBe(200);
  });

  test('takes no code twice, and none from before one that was used', async () => {
    const { email, phone } = await protectedAdmin();
    await phone.next();
    const code = await phone.next();
    expect((await logIn(email, code)).status).toBe(200);
    for (const replayed of [code, await phone.at(-1)]) {
      const { status: answered, body } = await logIn(email, replayed);
      expect([answered, body.type]).toEqual([401, 'second-factor-invalid']);
    }
  });

  test('takes a code once when it comes twice at once', async () => {
    const { email, phone } = await protectedAdmin();
    const code = await phone.next();
    const answers = await Promise.all([logIn(email, code), logIn(email, code), logIn(email, code)]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 401, 401]);
  });

  test('takes each recovery code once, however it is typed', async () => {
    const { email, token, codes } = await protectedAdmin();
    const typed = ` ${codes[0]!.toUpperCase().replaceAll('-', ' ')} `;
    expect((await logIn(email, typed)).status).toBe(200);
    expect((await logIn(email, codes[0])).body.type).toBe('second-factor-invalid');
    const both = await Promise.all([logIn(email, codes[1]), logIn(email, codes[1])]);
    expect(both.map((answer) => answer.status).sort()).toEqual([200, 401]);
    expect(await status(token)).toEqual({ enabled: true, recoveryCodesLeft: 8 });
  });

  test('does not take another admin’s codes', async () => {
    const [one, other] = [await protectedAdmin(), await protectedAdmin()];
    expect((await logIn(one.email, other.codes[0])).status).toBe(401);
    expect((await logIn(one.email, await other.phone.next())).status).toBe(401);
  });

  test('allows no more guesses than passwords do, and asking without a code gives none back', async () => {
    const { email, codes } = await protectedAdmin();
    const address = newAddress();
    const statuses: number[] = [];
    for (let time = 0; time < 10; time++) {
      expect((await logIn(email, undefined, PASSWORD, address)).body.type).toBe('second-factor-required');
      statuses.push((await logIn(email, 'wrong', PASSWORD, address)).status);
    }
    expect(statuses).toEqual([...Array(9).fill(401), 429]);
    expect((await logIn(email, codes[0], PASSWORD, address)).status).toBe(429);
    expect((await logIn(email, codes[0])).status).toBe(200);
  });

  test('asking without a code is no failure: it may be done as often as one likes', async () => {
    const { email, phone } = await protectedAdmin();
    const address = newAddress();
    for (let time = 0; time < 15; time++) {
      expect((await logIn(email, undefined, PASSWORD, address)).body.type).toBe('second-factor-required');
    }
    expect((await logIn(email, await phone.next(), PASSWORD, address)).status).toBe(200);
  });

  test.each([['x'.repeat(41)], [''], [42]])('names the code at fault in %j', async (code) => {
    const { email } = await auth.someone('admin');
    const { status: answered, body } = await logIn(email, code);
    expect([answered, body.errors[0].path]).toEqual([422, 'code']);
  });

  test('a reset of the password does not go round it', async () => {
    const { email, codes } = await protectedAdmin();
    const other = 'la palma de cera del Quindío';
    await auth.call('POST /api/auth/{role}/forgot-password', { params: { role: 'admin' }, body: { email } });
    const { data } = await auth.events.next(
      'password.reset_requested',
      (event) => event.data.email === email,
    );
    await auth.call('POST /api/auth/{role}/reset-password', {
      params: { role: 'admin' },
      body: { token: data.token, password: other },
    });
    expect((await logIn(email, undefined, other)).body.type).toBe('second-factor-required');
    expect((await logIn(email, codes[0], other)).status).toBe(200);
  });
});

describe('turning it off', () => {
  test('takes the password and a code; after that the password is enough', async () => {
    const { email, token, phone, codes } = await protectedAdmin();
    const answer = await post('disable', token, { currentPassword: PASSWORD, code: await phone.next() });
    expect([answer.status, answer.body]).toEqual([200, {}]);
    expect(await status(token)).toEqual({ enabled: false, recoveryCodesLeft: 0 });
    expect((await logIn(email)).status).toBe(200);
    expect((await begin(token)).status).toBe(200);
    expect((await post('confirm', token, { code: codes[0]! })).status).toBe(422);
  });

  test('can be done with a recovery code', async () => {
    const { token, codes } = await protectedAdmin();
    const answer = await post('disable', token, { currentPassword: PASSWORD, code: codes[9] });
    expect(answer.status).toBe(200);
  });

  test.each([
    ['the password', 'currentPassword', { currentPassword: 'not the password' }],
    ['the code', 'code', { code: '000000' }],
    ['the code, missing', 'code', { code: undefined }],
    ['the password, missing', 'currentPassword', { currentPassword: undefined }],
  ])('is refused when %s is wrong', async (_what, path, wrong) => {
    const { token, codes } = await protectedAdmin();
    const answer = await post('disable', token, { currentPassword: PASSWORD, code: codes[0], ...wrong });
    expect([answer.status, answer.body.errors[0].path]).toEqual([422, path]);
    expect(await status(token)).toEqual({ enabled: true, recoveryCodesLeft: 10 });
  });
});

describe('new recovery codes', () => {
  test('take the place of the former ones', async () => {
    const { email, token, phone, codes } = await protectedAdmin();
    const { body } = await post('recovery-codes', token, { code: await phone.next() });
    expect(body.recoveryCodes).toHaveLength(10);
    expect((await logIn(email, codes[0])).status).toBe(401);
    expect((await logIn(email, body.recoveryCodes[0])).status).toBe(200);
    expect(await status(token)).toEqual({ enabled: true, recoveryCodesLeft: 9 });
  });

  test('are made for a code that is right, once', async () => {
    const { token, phone } = await protectedAdmin();
    expect((await post('recovery-codes', token, { code: '000000' })).status).toBe(422);
    const code = await phone.next();
    const answers = await Promise.all([
      post('recovery-codes', token, { code }),
      post('recovery-codes', token, { code }),
    ]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 422]);
  });
});
