import { z } from 'zod';
import { id, instant, orderId } from './fields.ts';
import { SERVICES } from './services.ts';

/** What admins, and operators at a terminal, do: by area. An action is "order.status_changed". */
const ACTIONS = {
  order: [
    'listed',
    'exported',
    'status_changed',
    'edited',
    'noted',
    'assigned',
    'withdrawn',
    'withdrawal_retracted',
  ],
  certificate: ['revoked'],
  payment: ['listed'],
  transfer: ['listed', 'approved', 'rejected'],
  refund: ['made', 'dismissed'],
  photo_package: ['listed'],
  statement: [
    'uploaded',
    'layout_changed',
    'imported',
    'rows_listed',
    'row_approved',
    'row_linked',
    'row_split',
    'row_ignored',
    'row_kept',
    'row_reopened',
  ],
  worker: ['listed', 'workloads_listed', 'added', 'changed', 'invited', 'removed'],
  mail: ['listed', 'resent'],
  photo: ['hidden', 'restored'],
  admin: [
    'listed',
    'created',
    'added',
    'changed',
    'invited',
    'removed',
    'stepped_up',
    'password_changed',
    'sessions_ended',
    'email_change_asked',
    'email_changed',
    'second_factor_begun',
    'second_factor_on',
    'second_factor_off',
    'recovery_codes_renewed',
  ],
  customer: ['erased'],
  audit_log: ['listed', 'exported'],
} as const;

export type AuditArea = keyof typeof ACTIONS;
export type AuditAction = {
  [Area in AuditArea]: `${Area}.${(typeof ACTIONS)[Area][number]}`;
}[AuditArea];

export const AUDIT_AREAS = Object.keys(ACTIONS) as [AuditArea, ...AuditArea[]];
export const AUDIT_ACTIONS = Object.entries(ACTIONS).flatMap(([area, names]) =>
  names.map((name) => `${area}.${name}`),
) as [AuditAction, ...AuditAction[]];

/** Services with an audit log. Media keeps photos where no transaction spans two rows, so orders keeps its entries. */
export const AUDITED_SERVICES = ['auth', 'payments', 'orders', 'assignments', 'notifications'] as const;
export type AuditedService = (typeof AUDITED_SERVICES)[number];

const fieldValue = z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]);
export type AuditFields = Record<string, z.infer<typeof fieldValue> | undefined>;
const fields = z.record(z.string(), fieldValue);

/** `operator`: a command at a terminal. `system`: the product, on an admin's setting. */
export const auditActor = z.object({
  kind: z.enum(['admin', 'operator', 'system']),
  id: id.optional(),
  name: z.string().optional(),
  email: z.string().optional(),
  /** Of an admin. */
  role: z.string().optional(),
});
export type AuditActor = z.infer<typeof auditActor>;

export const auditObject = z.object({
  type: z.enum([
    'order',
    'certificate',
    'payment',
    'photo_package',
    'refund',
    'statement',
    'statement_row',
    'worker',
    'mail',
    'photo',
    'admin',
    'customer',
  ]),
  id: z.string().max(64),
});

/** One action. Personal data of donors and workers is never in it: see `withheld`. */
export const auditEntry = z.object({
  at: instant,
  by: auditActor,
  action: z.enum(AUDIT_ACTIONS),
  object: auditObject.optional(),
  /** The order that it is about, if any. */
  orderId: orderId.optional(),
  /** Changed fields only. */
  before: fields.optional(),
  /** Changed fields; for reads, the filter. */
  after: fields.optional(),
  /** Changed fields, or words of a filter, whose values are left out: persons' data and free text. */
  withheld: z.array(z.string()).optional(),
  correlationId: z.string(),
});
export type AuditEntry = z.infer<typeof auditEntry>;

export const auditRow = auditEntry.extend({
  service: z.enum(SERVICES),
  /** Position in the service's log, from 1 without gaps. */
  seq: z.int().min(1),
});
export type AuditRow = z.infer<typeof auditRow>;
