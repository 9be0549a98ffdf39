import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type Harness, newAddress, openHarness, PASSWORD } from './harness.ts';
import { openSecondFactorKit, type SecondFactorKit } from './second-factor-kit.ts';

let auth: Harness;
let factors: SecondFactorKit;
beforeAll(async () => {
  auth = await openHarness();
  factors = openSecondFactorKit(auth);
});
afterEach(() => auth.setClock(() => new Date()));
afterAll(() => auth.close());

describe('logging in with a second factor', () => {
  test('asks for the code, takes it, and gives a session', async () => {
    const { email, phone } = await factors.protectedAdmin();
    const asked = await factors.logIn(email);
    expect([asked.status, asked.body.type]).toEqual([401, 'second-factor-required']);
    const { status: answered, body } = await factors.logIn(email, await phone.next());
    expect(answered).toBe(200);
    expect(await auth.isLoggedIn('admin', body.token)).toBe(true);
  });

  test('speaks of it only to who has the password', async () => {
    const { email, phone } = await factors.protectedAdmin();
    for (const code of [undefined, '000000', await phone.next()]) {
      const { status: answered, body } = await factors.logIn(email, code, 'not the password');
      expect([answered, body.type]).toEqual([401, 'invalid-credentials']);
    }
  });

  test('takes a code of a phone whose clock is half a minute off, not more', async () => {
    const { email, phone } = await factors.protectedAdmin();
    await phone.next();
    await phone.next();
    await phone.next();
    for (const steps of [-2, 2]) expect((await factors.logIn(email, await phone.at(steps))).status).toBe(401);
    expect((await factors.logIn(email, await phone.at(-1))).status).toBe(200);
    expect((await factors.logIn(email, await phone.at(1))).status).toBe(200);
  });

  test('takes no code twice, and none from before one that was used', async () => {
    const { email, phone } = await factors.protectedAdmin();
    await phone.next();
    const code = await phone.next();
    expect((await factors.logIn(email, code)).status).toBe(200);
    for (const replayed of [code, await phone.at(-1)]) {
      const { status: answered, body } = await factors.logIn(email, replayed);
      expect([answered, body.type]).toEqual([401, 'second-factor-invalid']);
    }
  });

  test('takes a code once when it comes twice at once', async () => {
    const { email, phone } = await factors.protectedAdmin();
    const code = await phone.next();
    const answers = await Promise.all([
      factors.logIn(email, code),
      factors.logIn(email, code),
      factors.logIn(email, code),
    ]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 401, 401]);
  });

  test('takes each recovery code once, however it is typed', async () => {
    const { email, token, codes } = await factors.protectedAdmin();
    const typed = ` ${codes[0]!.toUpperCase().replaceAll('-', ' ')} `;
    expect((await factors.logIn(email, typed)).status).toBe(200);
    expect((await factors.logIn(email, codes[0])).body.type).toBe('second-factor-invalid');
    const both = await Promise.all([factors.logIn(email, codes[1]), factors.logIn(email, codes[1])]);
    expect(both.map((answer) => answer.status).sort()).toEqual([200, 401]);
    expect(await factors.status(token)).toEqual({ enabled: true, recoveryCodesLeft: 8 });
  });

  test('does not take another admin’s codes', async () => {
    const [one, other] = [await factors.protectedAdmin(), await factors.protectedAdmin()];
    expect((await factors.logIn(one.email, other.codes[0])).status).toBe(401);
    expect((await factors.logIn(one.email, await other.phone.next())).status).toBe(401);
  });

  test('allows no more guesses than passwords do, and asking without a code gives none back', async () => {
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

  test('allows few guesses to who comes from everywhere with the password, and its owner makes an end of it', async () => {
    const { email, codes } = await factors.protectedAdmin();
    const statuses: number[] = [];
    for (let time = 0; time < 21; time++) statuses.push((await factors.logIn(email, '000000')).status);
    expect(statuses).toEqual([...Array(20).fill(401), 429]);
    expect((await factors.logIn(email, codes[0])).status).toBe(429);
    expect((await factors.logIn(email, '000000', 'not the password')).status).toBe(401);
  });

  test('forgets wrong codes once a right one came', async () => {
    const { email, codes } = await factors.protectedAdmin();
    for (const code of codes.slice(0, 3)) {
      for (let time = 0; time < 15; time++) await factors.logIn(email, '000000');
      expect((await factors.logIn(email, code)).status).toBe(200);
    }
  });

  test('asking without a code is no failure: it may be done as often as one likes', async () => {
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

  test('a reset of the password does not go round it', async () => {
    const { email, codes } = await factors.protectedAdmin();
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
    expect((await factors.logIn(email, undefined, other)).body.type).toBe('second-factor-required');
    expect((await factors.logIn(email, codes[0], other)).status).toBe(200);
  });
});
