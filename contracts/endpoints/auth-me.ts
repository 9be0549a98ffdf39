import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { email, id, instant, language, password, personName } from '../fields.ts';
import { ROLES } from '../roles.ts';
import { anyUser, givenPassword, mailedToken } from './auth-fields.ts';

const mine = { service: 'auth', access: ROLES, permission: 'own-account' } as const;
const customers = { service: 'auth', access: ['customer'] } as const;
/** Limits password guessing with a stolen session. */
const limit = { max: 30, windowSeconds: 600 } as const;
const freshSession = z.object({ token: z.string(), user: anyUser });

export const authMeEndpoints = {
  'PUT /api/auth/me': endpoint({
    ...mine,
    audit: 'admin.changed',
    summary: 'Change one’s own name or language; what is not sent stays',
    body: z.object({ name: personName.optional(), language: language.optional() }),
    response: freshSession,
  }),
  'PUT /api/auth/me/password': endpoint({
    ...mine,
    audit: 'admin.password_changed',
    summary: 'Change one’s own password; all other sessions end',
    limit,
    body: z.object({ currentPassword: givenPassword, newPassword: password }),
    response: z.object({ token: z.string() }),
    problems: ['validation-failed', 'too-many-requests'],
  }),
  'POST /api/auth/me/log-out-everywhere': endpoint({
    ...mine,
    audit: 'admin.sessions_ended',
    summary: 'End all of one’s own sessions, this one too',
    response: z.object({}),
  }),
  'PUT /api/auth/me/email': endpoint({
    ...mine,
    audit: 'admin.email_change_asked',
    summary: 'Ask for another address; a link goes to the new one, and until it is opened nothing changes',
    limit,
    status: 202,
    body: z.object({ email, currentPassword: givenPassword }),
    response: z.object({}),
    problems: ['email-taken', 'too-many-requests'],
  }),
  'POST /api/auth/me/email/confirm': endpoint({
    ...mine,
    audit: 'admin.email_changed',
    summary: 'Take the new address with the mailed token; all other sessions end',
    limit,
    body: z.object({ token: mailedToken }),
    response: freshSession,
    problems: ['link-invalid', 'email-taken'],
  }),
  'GET /api/auth/me/export': endpoint({
    ...customers,
    summary: 'All that is kept of one’s own account',
    response: z.object({
      exportedAt: instant,
      account: z.object({
        id,
        role: z.literal('customer'),
        name: z.string(),
        email: z.string(),
        emailVerified: z.boolean(),
        language,
        createdAt: instant,
        updatedAt: instant,
      }),
      mailedLinks: z.array(
        z.object({
          purpose: z.string(),
          email: z.string(),
          expiresAt: instant,
          usedAt: instant.optional(),
        }),
      ),
      /** Last login from each remembered network; networks are stored only as hashes. */
      logIns: z.array(z.object({ lastAt: instant })),
    }),
  }),
  'POST /api/auth/me/deletion': endpoint({
    ...customers,
    summary: 'Delete one’s own account; orders of a verified address stay, without the person',
    limit,
    status: 202,
    body: z.object({ currentPassword: givenPassword }),
    response: z.object({}),
    problems: ['too-many-requests'],
  }),
};
