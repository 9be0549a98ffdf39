import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { adminRole, email, id, instant, language, personName } from '../fields.ts';

const reading = { service: 'auth', access: ['admin'], permission: 'admins:read' } as const;
/** Only owners with two-factor login may: a stolen password must not make admins. */
const writing = { ...reading, permission: 'admins:write', stepUp: true } as const;
const params = z.object({ id });

const managedAdmin = z.object({
  id,
  name: z.string(),
  email: z.string(),
  role: adminRole,
  language,
  active: z.boolean(),
  /** True until the admin sets a password. */
  invitationPending: z.boolean(),
  hasSecondFactor: z.boolean(),
  /** Absent when the last login is longer ago than logins are kept, or there was none. */
  lastLogInAt: instant.optional(),
  createdAt: instant,
  /** Incremented by every change, for If-Match. */
  revision: z.int(),
});
const response = z.object({ admin: managedAdmin });
const etag = ({ admin }: z.infer<typeof response>) => String(admin.revision);

export const authAdminsEndpoints = {
  'GET /api/admin/admins': endpoint({
    ...reading,
    audit: 'admin.listed',
    summary: 'Admins with their roles: active ones first, by name. The first 500',
    response: z.object({ admins: z.array(managedAdmin) }),
  }),
  'POST /api/admin/admins': endpoint({
    ...writing,
    audit: 'admin.added',
    summary: 'Invite an admin; an email asks them to set a password',
    status: 201,
    body: z.object({ name: personName, email, role: adminRole, language: language.default('es') }),
    response,
    etag,
    problems: ['second-factor-needed', 'admin-email-taken'],
  }),
  'PUT /api/admin/admins/{id}': endpoint({
    ...writing,
    audit: 'admin.changed',
    summary:
      'Change an admin; what is not sent stays. Another role, or an admin who is no longer active, ends their sessions',
    params,
    body: z.object({ name: personName, role: adminRole, active: z.boolean() }).partial(),
    response,
    etag,
    problems: ['second-factor-needed', 'own-role', 'precondition-failed'],
  }),
  'POST /api/admin/admins/{id}/invitation': endpoint({
    ...writing,
    audit: 'admin.invited',
    summary: 'Send the invitation again; the former link no longer works',
    params,
    status: 202,
    response: z.object({}),
    problems: ['second-factor-needed', 'invitation-accepted', 'admin-inactive', 'too-many-requests'],
  }),
  'DELETE /api/admin/admins/{id}': endpoint({
    ...writing,
    audit: 'admin.removed',
    summary: 'Remove an admin who never accepted the invitation',
    params,
    status: 204,
    problems: ['second-factor-needed', 'admin-has-joined'],
  }),
};
