/** Audited actions of admins and of operators at a terminal, by area; for example `order.status_changed`. */
const ACTIONS = {
  order: ['listed', 'exported', 'status_changed', 'edited', 'noted', 'assigned', 'withdrawal_retracted'],
  certificate: ['revoked'],
  payment: ['listed'],
  transfer: ['listed', 'approved', 'rejected'],
  refund: ['made', 'settled', 'dismissed'],
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
    'joined',
    'removed',
    'stepped_up',
    'password_changed',
    'password_reset',
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
