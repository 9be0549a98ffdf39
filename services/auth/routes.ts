import type { Handlers } from '@arboleda/chassis/http/handlers.ts';
import type { authEndpoints } from '@arboleda/contracts/endpoints/auth.ts';
import { languageOf } from '@arboleda/contracts/roles.ts';
import { type Account, isStale } from './account.ts';
import type { Attempts } from './attempts.ts';
import type { Registration } from './registration.ts';
import type { Sessions } from './sessions.ts';
import type { Tokens } from './tokens.ts';
import { userView, workerView } from './views.ts';

export function routes(parts: {
  sessions: Sessions;
  registration: Registration;
  attempts: Attempts;
  tokens: Tokens;
}): Handlers<typeof authEndpoints> {
  const { sessions, registration, attempts, tokens } = parts;
  const session = async (account: Account) => ({
    token: await tokens.sign(account),
    user: userView(account),
  });

  return {
    'POST /api/auth/customer/login': async ({ body, address }) =>
      session(await sessions.logIn('customer', body, address)),
    'POST /api/auth/admin/login': async ({ body, address }) =>
      session(await sessions.logIn('admin', body, address)),
    'POST /api/auth/worker/login': async ({ body, address }) => {
      const account = await sessions.logIn('worker', body, address);
      return { token: await tokens.sign(account), user: workerView(account) };
    },

    'GET /api/auth/customer/verify': async ({ person }) => {
      const account = await sessions.current(person);
      return {
        user: userView(account),
        ...(isStale(person, account) && { token: await tokens.sign(account) }),
      };
    },
    'GET /api/auth/admin/verify': async ({ person }) => ({ user: userView(await sessions.current(person)) }),
    'GET /api/auth/worker/verify': async ({ person }) => ({
      worker: workerView(await sessions.current(person)),
    }),

    'POST /api/auth/customer/register': async ({ body, language }) => {
      const { locale, ...wish } = body;
      return session(
        await registration.register({ ...wish, language: locale ? languageOf(locale) : language }),
      );
    },
    'POST /api/auth/customer/verify-email': async ({ person, body }) =>
      session(await registration.verifyEmail(person, body.token)),
    'POST /api/auth/customer/verify-email/resend': async ({ person }) => {
      const account = await sessions.current(person);
      await attempts.countMail(account.id);
      await registration.resend(account);
      return {};
    },

    'GET /internal/jwks': async () => ({ keys: tokens.publicKeys as Record<string, unknown>[] }),
    'PUT /internal/accounts': async ({ body }) => registration.put(body),
  };
}
