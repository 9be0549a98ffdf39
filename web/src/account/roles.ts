import { ROLES, type Role } from '@arboleda/contracts/roles.ts';

/** Login page of each role. */
export const PORTAL_OF: Record<Role, string> = {
  customer: '/customer-portal',
  worker: '/worker-portal',
  admin: '/admin-dashboard',
};

export const roleOf = (name: string | null): Role => ROLES.find((role) => role === name) ?? 'customer';
