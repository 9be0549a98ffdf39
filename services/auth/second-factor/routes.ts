import type { Handlers } from '@arboleda/chassis/http/handlers.ts';
import type { authSecondFactorEndpoints } from '@arboleda/contracts/endpoints/auth-second-factor.ts';
import type { Tokens } from '../sessions/tokens.ts';
import type { SecondFactors } from './second-factors.ts';

export function secondFactorRoutes(
  factors: SecondFactors,
  tokens: Tokens,
): Handlers<typeof authSecondFactorEndpoints> {
  return {
    'POST /api/auth/admin/step-up': async ({ person, body, address }) => {
      const { account, secondFactorAt } = await factors.stepUp(person, body.code, address);
      return { token: await tokens.renew(account, { expiresAt: person.expiresAt, secondFactorAt }) };
    },
    'GET /api/auth/admin/second-factor': ({ person }) => factors.status(person),
    'POST /api/auth/admin/second-factor': ({ person, body, address }) =>
      factors.begin(person, body.currentPassword, address),
    'POST /api/auth/admin/second-factor/confirm': async ({ person, body, address }) => {
      const { account, recoveryCodes, secondFactorAt } = await factors.confirm(person, body.code, address);
      return { recoveryCodes, token: await tokens.sign(account, secondFactorAt) };
    },
    'POST /api/auth/admin/second-factor/disable': async ({ person, body, address }) => ({
      token: await tokens.sign(await factors.disable(person, body, address)),
    }),
    'POST /api/auth/admin/second-factor/recovery-codes': async ({ person, body, address }) => ({
      recoveryCodes: await factors.renewCodes(person, body.code, address),
    }),
  };
}
