import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { givenPassword, secondFactorCode } from './auth-fields.ts';

const admins = { service: 'auth', access: ['admin'], permission: 'own-account' } as const;
const limit = { max: 30, windowSeconds: 600 } as const;
const withCode = z.object({ code: secondFactorCode });
/** Recovery codes are shown once. */
const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });
/** Replaces the session that ended. */
const withToken = z.object({ token: z.string() });

/** An admin's own two-factor login with an authenticator app (TOTP, RFC 6238). */
export const authSecondFactorEndpoints = {
  'POST /api/auth/admin/step-up': endpoint({
    ...admins,
    audit: 'admin.stepped_up',
    summary:
      'Give one’s second factor again, for calls that ask for it; the session goes on with a new token',
    limit,
    body: withCode,
    response: withToken,
    problems: ['second-factor-off', 'too-many-requests'],
  }),
  'GET /api/auth/admin/second-factor': endpoint({
    ...admins,
    summary: 'Whether one’s own two-factor login is on, and how many recovery codes are left',
    response: z.object({ enabled: z.boolean(), recoveryCodesLeft: z.int() }),
  }),
  'POST /api/auth/admin/second-factor': endpoint({
    ...admins,
    audit: 'admin.second_factor_begun',
    summary: 'Begin to set up two-factor login; it counts once a code confirms it',
    limit,
    body: z.object({ currentPassword: givenPassword }),
    response: z.object({ secret: z.string(), otpauthUrl: z.string() }),
    problems: ['second-factor-on', 'too-many-requests'],
  }),
  'POST /api/auth/admin/second-factor/confirm': endpoint({
    ...admins,
    audit: 'admin.second_factor_on',
    summary: 'Turn two-factor login on with the app’s first code; all other sessions end',
    limit,
    body: withCode,
    response: recoveryCodes.extend(withToken.shape),
    problems: ['second-factor-on', 'second-factor-off', 'too-many-requests'],
  }),
  'POST /api/auth/admin/second-factor/disable': endpoint({
    ...admins,
    audit: 'admin.second_factor_off',
    summary: 'Turn two-factor login off; all other sessions end',
    limit,
    body: withCode.extend({ currentPassword: givenPassword }),
    response: withToken,
    problems: ['second-factor-off', 'last-owner', 'too-many-requests'],
  }),
  'POST /api/auth/admin/second-factor/recovery-codes': endpoint({
    ...admins,
    audit: 'admin.recovery_codes_renewed',
    summary: 'Make new recovery codes; the former ones are of no use any more',
    limit,
    body: withCode,
    response: recoveryCodes,
    problems: ['second-factor-off', 'too-many-requests'],
  }),
};
