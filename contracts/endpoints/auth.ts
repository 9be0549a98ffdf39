import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { adminRole, cursor, email, id, language, localeTag, password, personName, role } from '../fields.ts';
import { SERVICES } from '../services.ts';
import {
  capacityTrees,
  givenPassword,
  login as loginField,
  mailedToken,
  region,
  secondFactorCode,
  session,
  user,
  worker,
  workerCode,
} from './auth-fields.ts';
import { auditLogEndpoints } from './audit-log.ts';
import { authAdminsEndpoints } from './auth-admins.ts';
import { authMeEndpoints } from './auth-me.ts';
import { authSecondFactorEndpoints } from './auth-second-factor.ts';
import { authWorkersEndpoints } from './auth-workers.ts';

const credentials = z.object({ email: loginField, password: givenPassword });

const login = {
  service: 'auth',
  access: 'public',
  body: credentials,
  limit: { max: 60, windowSeconds: 600 },
} as const;
const loginProblems = ['invalid-credentials', 'too-many-requests'] as const;

export const authEntryEndpoints = {
  'POST /api/auth/customer/login': endpoint({
    ...login,
    summary: 'Log in as a customer',
    response: session,
    problems: loginProblems,
  }),
  'POST /api/auth/admin/login': endpoint({
    ...login,
    summary: 'Log in as an admin; with a code when two-factor login is on',
    body: credentials.extend({ code: secondFactorCode.optional() }),
    response: session,
    problems: [...loginProblems, 'second-factor-required', 'second-factor-invalid'],
  }),
  'POST /api/auth/worker/login': endpoint({
    ...login,
    summary: 'Log in as a field worker, by email or worker id in the same field',
    response: z.object({ token: z.string(), user: worker }),
    problems: loginProblems,
  }),
  'GET /api/auth/customer/verify': endpoint({
    service: 'auth',
    summary: 'Who this token belongs to; a fresh token when what it says has changed',
    access: ['customer'],
    response: z.object({ user, token: z.string().optional() }),
  }),
  'GET /api/auth/admin/verify': endpoint({
    service: 'auth',
    summary: 'Who this token belongs to',
    access: ['admin'],
    permission: 'own-account',
    response: z.object({ user }),
  }),
  'GET /api/auth/worker/verify': endpoint({
    service: 'auth',
    summary: 'Who this token belongs to',
    access: ['worker'],
    response: z.object({ worker }),
  }),
  'POST /api/auth/customer/register': endpoint({
    service: 'auth',
    summary: 'Open a customer account; a mail asks to verify the address',
    access: 'public',
    status: 201,
    body: z.object({ name: personName, email, password, locale: localeTag.optional() }),
    response: session,
    problems: ['email-taken', 'too-many-requests'],
    limit: { max: 20, windowSeconds: 600 },
  }),
  'POST /api/auth/customer/verify-email': endpoint({
    service: 'auth',
    summary: 'Verify the address of one’s own account with the mailed token',
    access: ['customer'],
    body: z.object({ token: mailedToken }),
    response: session,
    problems: ['link-invalid'],
  }),
  'POST /api/auth/customer/verify-email/resend': endpoint({
    service: 'auth',
    summary: 'Mail the verification link again',
    access: ['customer'],
    status: 202,
    response: z.object({}),
    problems: ['too-many-requests'],
    limit: { max: 5, windowSeconds: 600 },
  }),
  'POST /api/auth/{role}/forgot-password': endpoint({
    service: 'auth',
    summary: 'Mail a link to set a new password, if there is such an account; workers may give their id, too',
    access: 'public',
    status: 202,
    params: z.object({ role }),
    body: z.object({ email: loginField }),
    response: z.object({}),
    problems: ['too-many-requests'],
    limit: { max: 20, windowSeconds: 600 },
  }),
  'POST /api/auth/{role}/reset-password': endpoint({
    service: 'auth',
    summary:
      'Set a new password with the mailed token, or a first one with an invitation’s; ends all sessions and logs in',
    access: 'public',
    params: z.object({ role }),
    body: z.object({ token: mailedToken, password }),
    response: z.object({
      email: z.string(),
      /** Session of the account; absent while two-factor login is on, which a link in an email must not replace. */
      token: z.string().optional(),
    }),
    problems: ['link-invalid'],
    limit: { max: 30, windowSeconds: 600 },
  }),
  'GET /internal/jwks': endpoint({
    service: 'auth',
    summary: 'Public keys that sign the tokens of people',
    access: 'public',
    response: z.object({ keys: z.array(z.record(z.string(), z.unknown())) }),
  }),
  'GET /internal/ended-sessions': endpoint({
    service: 'auth',
    summary: 'Accounts whose sessions were ended while tokens of theirs may still be about, a page at a time',
    access: { services: SERVICES },
    query: z.object({ cursor: cursor.optional() }),
    response: z.object({
      /** Tokens with a lower version are refused. */
      accounts: z.array(z.object({ id, tokenVersion: z.int() })),
      /** Cursor for later revocations; always present. */
      nextCursor: z.string(),
      more: z.boolean(),
    }),
  }),
  'PUT /internal/accounts': endpoint({
    service: 'auth',
    summary:
      'Create an account of any role, or bring an existing one up to date; for the operator’s commands',
    access: { services: ['operator'] },
    body: z.object({
      role,
      /** Admins only; a new one is an `owner` by default. */
      adminRole: adminRole.optional(),
      email,
      name: personName,
      password,
      language: language.default('en'),
      emailVerified: z.boolean().default(false),
      worker: z.object({ code: workerCode, region, capacityTrees: capacityTrees.default(1000) }).optional(),
    }),
    response: z.object({ id, created: z.boolean() }),
    problems: ['conflict'],
  }),
};

export const authEndpoints = {
  ...authEntryEndpoints,
  ...authMeEndpoints,
  ...authSecondFactorEndpoints,
  ...authWorkersEndpoints,
  ...auditLogEndpoints,
  ...authAdminsEndpoints,
};
