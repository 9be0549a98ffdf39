import { generate } from 'otplib/functional';
import { type Harness, newAddress, PASSWORD } from './harness.ts';

const FACTOR = 'POST /api/auth/admin/second-factor';
const STEP_MS = 30_000;

/** Admins with authenticator apps. */
export function openSecondFactorHarness(auth: Harness) {
  const begin = (token: string, currentPassword = PASSWORD) =>
    auth.call(FACTOR, { token, body: { currentPassword } });
  const post = (what: 'confirm' | 'disable' | 'recovery-codes', token: string, body: unknown) =>
    auth.call(`POST /api/auth/admin/second-factor/${what}`, { token, body });

  /** Each code is one step later than the previous one; auth's clock follows. */
  const app = (secret: string) => {
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
  };

  return {
    begin,
    post,
    app,
    /** Notices to the owner, oldest first. */
    notices: (id: string) =>
      auth.events
        .all('second_factor.changed')
        .filter(({ data }) => data.accountId === id)
        .map(({ data }) => data.enabled),
    status: async (token: string) => (await auth.call('GET /api/auth/admin/second-factor', { token })).body,
    logIn: (email: string, code?: unknown, password = PASSWORD, address = newAddress()) =>
      auth.call('POST /api/auth/admin/login', {
        body: { email, password, ...(code !== undefined && { code }) },
        headers: { 'X-Forwarded-For': address },
      }),
    /** An admin with two-factor authentication on. */
    async protectedAdmin() {
      const admin = await auth.someone('admin');
      const { body } = await begin(admin.token);
      const phone = app(body.secret);
      const confirmed = await post('confirm', admin.token, { code: await phone.next() });
      const codes = confirmed.body.recoveryCodes as string[];
      const token = confirmed.body.token as string;
      return { ...admin, token, former: admin.token, phone, secret: body.secret as string, codes };
    },
  };
}
export type SecondFactorHarness = ReturnType<typeof openSecondFactorHarness>;
