import { type AdminRole, mayDo, type Permission } from '@arboleda/contracts/permissions.ts';
import { createContext, type ReactNode, useContext } from 'react';

/**
 * Role of the admin who is logged in. The services decide what each may do; screens only leave out what would be refused,
 * so that a part shown by itself shows everything.
 */
export const AdminRoleContext = createContext<AdminRole>('owner');

/** Whether the admin who is logged in may do something. */
export function useMay(): (permission: Permission) => boolean {
  const role = useContext(AdminRoleContext);
  return (permission) => mayDo(role, permission);
}

/** Shows its content to admins with a permission only. */
export function May({ permission, children }: { permission: Permission; children: ReactNode }) {
  const may = useMay();
  return may(permission) && children;
}
