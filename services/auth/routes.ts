import type { Handlers } from '@arboleda/chassis/http/handlers.ts';
import type { authEntryEndpoints } from '@arboleda/contracts/endpoints/auth.ts';
import { languageOf } from '@arboleda/contracts/roles.ts';
import { isStale } from './accounts/account.ts';
import type { Registration } from './accounts/registration.ts';
import type { Resets } from './passwords/resets.ts';
import type { Attempts } from './sessions/attempts.ts';
import type { EndedPage } from './sessions/ended-sessions.ts';
import type { LoggedIn, Sessions } from './sessions/sessions.ts';
import type { Tokens } from './sessions/tokens.ts';
import { userView, workerView } from './accounts/views.ts';

/** Endpoints for registration and login; other endpoints are in their subject's folder. */
export function entryRoutes(parts: {
  sessions: Sessions;
  registration: Registration;
  resets: Resets;
  attempts: Attempts;
  tokens: Tokens;
  endedSessions: (cursor: string | undefined) => Promise<EndedPage>;
}): Handlers<typeof authEntryEndpoints> {
  const { sessions, registration, resets, attempts, tokens, endedSessions } = parts;
  const session = async ({ account, secondFactorAt }: LoggedIn) => ({
    token: await tokens.sign(account, secondFactorAt),
    user: userView(account),
  });

  return {
    'POST /api/auth/customer/login': async ({ body, address }) =>
      session(await sessions.logIn('customer', body, address)),
    'POST /api/auth/admin/login': async ({ body, address }) =>
      session(await sessions.logIn('admin', body, address)),
    'POST /api/auth/worker/login': async ({ body, address }) => {
      const { account } = await sessions.logIn('worker', body, address);
      return { token: await tokens.sign(account), user: workerView(account) };
    },

    'GET /api/auth/customer/verify': async ({ person }) => {
      const account = await sessions.current(person);
      return {
        user: userView(account),
        ...(isStale(person, account) && { token: await tokens.renew(account, person) }),
      };
    },
    'GET /api/auth/admin/verify': async ({ person }) => ({ user: userView(await sessions.current(person)) }),
    'GET /api/auth/worker/verify': async ({ person }) => ({
      worker: workerView(await sessions.current(person)),
    }),

    'POST /api/auth/customer/register': async ({ body, language }) => {
      const { locale, ...input } = body;
      const account = await registration.register({
        ...input,
        language: locale ? languageOf(locale) : language,
      });
      return session({ account, secondFactorAt: undefined });
    },
    'POST /api/auth/customer/verify-email': async ({ person, body }) => {
      const account = await registration.verifyEmail(person, body.token);
      return { token: await tokens.renew(account, person), user: userView(account) };
    },
    'POST /api/auth/customer/verify-email/resend': async ({ person }) => {
      const account = await sessions.current(person);
      await attempts.countMail(account.id);
      await registration.resend(account);
      return {};
    },

    'POST /api/auth/{role}/forgot-password': async ({ params, body, address }) => {
      await resets.ask(params.role, body.email, address);
      return {};
    },
    'POST /api/auth/{role}/reset-password': async ({ params, body, address }) => {
      const { account, mayLogIn } = await resets.reset(params.role, body.token, body.password, address);
      return { email: account.email, ...(mayLogIn && { token: await tokens.sign(account) }) };
    },

    'GET /internal/jwks': async () => ({ keys: tokens.publicKeys as Record<string, unknown>[] }),
    'GET /internal/ended-sessions': ({ query }) => endedSessions(query.cursor),
    'PUT /internal/accounts': async ({ body }) => registration.put(body),
  };
}
