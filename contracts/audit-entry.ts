import { z } from 'zod';
import { AUDIT_ACTIONS } from './audit.ts';
import { id, instant, orderId } from './fields.ts';
import { SERVICES } from './services.ts';

const fieldValue = z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]);
export type AuditFields = Record<string, z.infer<typeof fieldValue> | undefined>;
const fields = z.record(z.string(), fieldValue);

/** `operator`: a command at a terminal. `system`: the product, on an admin's setting. */
const auditActor = z.object({
  kind: z.enum(['admin', 'operator', 'system']),
  id: id.optional(),
  name: z.string().optional(),
  email: z.string().optional(),
  /** Admins only. */
  role: z.string().optional(),
});
export type AuditActor = z.infer<typeof auditActor>;

const auditObject = z.object({
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
