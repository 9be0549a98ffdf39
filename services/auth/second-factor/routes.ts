import type { Handlers } from '@arboleda/chassis/http/handlers.ts';
import type { authSecondFactorEndpoints } from '@arboleda/contracts/endpoints/auth-second-factor.ts';
import type { SecondFactors } from './second-factors.ts';

export function secondFactorRoutes(factors: SecondFactors): Handlers<typeof authSecondFactorEndpoints> {
  return {
    'GET /api/auth/admin/second-factor': ({ person }) => factors.status(person),
    'POST /api/auth/admin/second-factor': ({ person }) => factors.begin(person),
    'POST /api/auth/admin/second-factor/confirm': async ({ person, body, address }) => ({
      recoveryCodes: await factors.confirm(person, body.code, address),
    }),
    'POST /api/auth/admin/second-factor/disable': async ({ person, body, address }) => {
      await factors.disable(person, body, address);
      return {};
    },
    'POST /api/auth/admin/second-factor/recovery-codes': async ({ person, body, address }) => ({
      recoveryCodes: await factors.renewCodes(person, body.code, address),
    }),
  };
}
