import { z } from 'zod';
import { AUDIT_AREAS, type AuditedService } from '../audit.ts';
import { auditRow } from '../audit-entry.ts';
import { endpoint } from '../endpoint.ts';
import { cursor, freeText, instant, pageLimit } from '../fields.ts';
import { SERVICES } from '../services.ts';

const filter = z.object({
  /** Beginning of an admin's name or address, their id, or `operator` or `system`. */
  who: freeText(254).optional(),
  area: z.enum(AUDIT_AREAS).optional(),
  /** An order's id or its last six characters, or the id of anything else. */
  object: z
    .string()
    .trim()
    .regex(/^[\w-]{1,64}$/)
    .optional(),
  /** Inclusive. */
  from: instant.optional(),
  /** Exclusive. */
  to: instant.optional(),
});

export const auditLogEndpoints = {
  'GET /api/admin/audit-log': endpoint({
    service: 'auth',
    audit: 'audit_log.listed',
    summary: 'What admins and operators did, newest first, from the audit logs of all services',
    access: ['admin'],
    permission: 'audit-log:read',
    query: filter.extend({ limit: pageLimit(50), cursor: cursor.optional() }),
    response: z.object({
      rows: z.array(auditRow),
      nextCursor: z.string().optional(),
      /** Services that could not be asked: their rows are missing here. */
      unavailable: z.array(z.enum(SERVICES)),
    }),
  }),
  'GET /api/admin/audit-log/export': endpoint({
    service: 'auth',
    audit: 'audit_log.exported',
    summary: 'All rows of the audit log that the filters find as CSV (UTF-8 with byte order mark)',
    access: ['admin'],
    permission: 'audit-log:read',
    stepUp: true,
    query: filter,
    binary: 'text/csv',
  }),
};

/** Rows of one service's log, newest first, after a position. */
const ofService = <Service extends AuditedService>(service: Service) =>
  endpoint({
    service,
    summary: 'Rows of this service’s audit log, newest first',
    access: { services: ['auth'] },
    query: filter.extend({ limit: pageLimit(50, 201), cursor: cursor.optional() }),
    response: z.object({ rows: z.array(auditRow) }),
  });

export const paymentsAuditEndpoints = { 'GET /internal/payments/audit-log': ofService('payments') };
export const ordersAuditEndpoints = { 'GET /internal/orders/audit-log': ofService('orders') };
export const assignmentsAuditEndpoints = { 'GET /internal/assignments/audit-log': ofService('assignments') };
export const notificationsAuditEndpoints = {
  'GET /internal/notifications/audit-log': ofService('notifications'),
};
