import { ROLES, type Role } from '@arboleda/contracts/roles.ts';

/** The portal of a role, where one logs in. */
export const PORTAL_OF: Record<Role, string> = {
  customer: '/customer-portal',
  worker: '/worker-portal',
  admin: '/admin-dashboard',
};

/** Whose account a link is about; customers are the most. */
export const roleOf = (name: string | null): Role => ROLES.find((role) => role === name) ?? 'customer';
