import type { Handlers } from '@arboleda/chassis/http/handlers.ts';
import type { authMeEndpoints } from '@arboleda/contracts/endpoints/auth-me.ts';
import type { Person } from '@arboleda/chassis/http/identity.ts';
import type { Account } from '../accounts/account.ts';
import type { Tokens } from '../sessions/tokens.ts';
import { anyUserView } from '../accounts/views.ts';
import type { EmailChange } from './email-change.ts';
import type { Leaving } from './leaving.ts';
import type { Profile } from './profile.ts';

export function meRoutes(parts: {
  profile: Profile;
  emailChange: EmailChange;
  leaving: Leaving;
  tokens: Tokens;
}): Handlers<typeof authMeEndpoints> {
  const { profile, emailChange, leaving, tokens } = parts;
  const goneOn = async (account: Account, person: Person) => ({
    token: await tokens.renew(account, person),
    user: anyUserView(account),
  });
  return {
    'PUT /api/auth/me': async ({ person, body }) => goneOn(await profile.change(person, body), person),
    'PUT /api/auth/me/password': async ({ person, body, address }) => ({
      token: await tokens.sign(await profile.changePassword(person, body, address), person.secondFactorAt),
    }),
    'POST /api/auth/me/log-out-everywhere': async ({ person }) => {
      await profile.logOutEverywhere(person);
      return {};
    },
    'PUT /api/auth/me/email': async ({ person, body, address }) => {
      await emailChange.ask(person, body, address);
      return {};
    },
    'POST /api/auth/me/email/confirm': async ({ person, body }) =>
      goneOn(await emailChange.confirm(person, body.token), person),
    'GET /api/auth/me/export': ({ person }) => leaving.export(person),
    'POST /api/auth/me/deletion': async ({ person, body, address }) => {
      await leaving.erase(person, body.currentPassword, address);
      return {};
    },
  };
}
