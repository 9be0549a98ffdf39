/** The role of an admin among the admins. A session's role (`Role`) stays `admin` for all of them. */
export const ADMIN_ROLES = ['owner', 'finance', 'coordinator', 'support', 'auditor'] as const;
export type AdminRole = (typeof ADMIN_ROLES)[number];

/** Permissions of admins. Every endpoint for admins names one. */
export const PERMISSIONS = [
  'own-account',
  'figures:read',
  'orders:read',
  'orders:write',
  'orders:export',
  'notes:write',
  'certificates:write',
  'workers:read',
  'workers:write',
  'assignments:write',
  'photos:read',
  'photos:moderate',
  /** Payments, transfers with their evidence, bank statements, photo packages, refunds and disputes. */
  'payments:read',
  'transfers:decide',
  'statements:write',
  'refunds:write',
  'emails:read',
  'emails:resend',
  'admins:read',
  'admins:write',
  'audit-log:read',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

const EVERYONE = ['own-account', 'figures:read', 'orders:read', 'emails:read'] as const;

/** Permissions of each role. A permission that is missing here is denied. */
export const ROLE_PERMISSIONS: Readonly<Record<AdminRole, readonly Permission[]>> = {
  owner: PERMISSIONS,
  finance: [
    ...EVERYONE,
    'orders:export',
    'notes:write',
    'payments:read',
    'transfers:decide',
    'statements:write',
    'refunds:write',
  ],
  coordinator: [
    ...EVERYONE,
    'orders:write',
    'notes:write',
    'certificates:write',
    'workers:read',
    'workers:write',
    'assignments:write',
    'photos:read',
    'photos:moderate',
    'emails:resend',
  ],
  support: [...EVERYONE, 'notes:write', 'photos:read', 'emails:resend'],
  auditor: [...EVERYONE, 'workers:read', 'photos:read', 'payments:read', 'admins:read', 'audit-log:read'],
};

/** False for an unknown role or an undeclared permission. */
export const mayDo = (adminRole: AdminRole | undefined, permission: Permission | undefined): boolean =>
  adminRole !== undefined &&
  permission !== undefined &&
  (ROLE_PERMISSIONS[adminRole] ?? []).includes(permission);

/** An endpoint with `stepUp` asks for the second factor again when it was given longer ago than this. */
export const STEP_UP_SECONDS = 600;
