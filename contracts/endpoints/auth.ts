import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { email, id, language, localeTag, password, personName, role } from '../fields.ts';

const credentials = z.object({
  email: z.string().trim().min(1).max(254),
  password: z.string().min(1).max(200),
});

/** A customer or an admin. */
const user = z.object({ id, name: z.string(), email: z.string(), emailVerified: z.boolean(), language });
const worker = z.object({
  id, name: z.string(), email: z.string(), workerId: z.string(), region: z.string(), language,
}); // prettier-ignore
const session = z.object({ token: z.string(), user });

const login = {
  service: 'auth',
  access: 'public',
  body: credentials,
  limit: { max: 60, windowSeconds: 600 },
} as const;
const loginProblems = ['invalid-credentials', 'too-many-requests'] as const;

export const authEndpoints = {
  'POST /api/auth/customer/login': endpoint({
    ...login, summary: 'Log in as a customer', response: session, problems: loginProblems,
  }),
  'POST /api/auth/admin/login': endpoint({
    ...login, summary: 'Log in as an admin', response: session, problems: loginProblems,
  }),
  'POST /api/auth/worker/login': endpoint({
    ...login,
    summary: 'Log in as a field worker, by email or worker id in the same field',
    response: z.object({ token: z.string(), user: worker }),
    problems: loginProblems,
  }),
  'GET /api/auth/customer/verify': endpoint({
    service: 'auth', summary: 'Who this token belongs to; a fresh token when what it says has changed',
    access: ['customer'], response: z.object({ user, token: z.string().optional() }),
  }),
  'GET /api/auth/admin/verify': endpoint({
    service: 'auth', summary: 'Who this token belongs to', access: ['admin'], response: z.object({ user }),
  }),
  'GET /api/auth/worker/verify': endpoint({
    service: 'auth', summary: 'Who this token belongs to', access: ['worker'], response: z.object({ worker }),
  }),
  'POST /api/auth/customer/register': endpoint({
    service: 'auth', summary: 'Open a customer account; a mail asks to verify the address', access: 'public', status: 201,
    body: z.object({ name: personName, email, password, locale: localeTag.optional() }),
    response: session, problems: ['email-taken', 'too-many-requests'], limit: { max: 20, windowSeconds: 600 },
  }),
  'POST /api/auth/customer/verify-email': endpoint({
    service: 'auth', summary: 'Verify the address of one’s own account with the mailed token', access: ['customer'],
    body: z.object({ token: z.string().min(1).max(200) }), response: session, problems: ['link-invalid'],
  }),
  'POST /api/auth/customer/verify-email/resend': endpoint({
    service: 'auth', summary: 'Mail the verification link again', access: ['customer'], status: 202,
    response: z.object({}), limit: { max: 5, windowSeconds: 600 },
  }),
  'GET /internal/jwks': endpoint({
    service: 'auth', summary: 'Public keys that sign the tokens of people', access: 'public',
    response: z.object({ keys: z.array(z.record(z.string(), z.unknown())) }),
  }),
  'PUT /internal/accounts': endpoint({
    service: 'auth', summary: 'Create an account of any role, or bring an existing one up to date; for the operator’s commands',
    access: 'service',
    body: z.object({
      role, email, name: personName, password, language: language.default('en'), emailVerified: z.boolean().default(false),
      worker: z.object({
        code: z.string().min(1).max(20), region: z.string().min(1).max(80), capacityTrees: z.int().min(0).default(1000),
      }).optional(),
    }),
    response: z.object({ id, created: z.boolean() }),
  }),
}; // prettier-ignore
