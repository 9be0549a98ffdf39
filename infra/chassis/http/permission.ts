import type { Endpoint } from '@arboleda/contracts/endpoint.ts';
import { mayDo, STEP_UP_SECONDS } from '@arboleda/contracts/permissions.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import type { Person } from './identity.ts';

/**
 * Checks the permission of an admin, and how long ago they gave their second factor. Other people pass: `access`
 * decides about them.
 * @throws Problem `forbidden`, `step-up-required`
 */
export function requirePermission(
  { role, adminRole, secondFactorAt }: Pick<Person, 'role' | 'adminRole' | 'secondFactorAt'>,
  { permission, stepUp }: Pick<Endpoint, 'permission' | 'stepUp'>,
  nowSeconds: number,
): void {
  if (role !== 'admin') return;
  if (!mayDo(adminRole, permission)) throw new Problem('forbidden');
  if (stepUp && secondFactorAt !== undefined && nowSeconds - secondFactorAt > STEP_UP_SECONDS) {
    throw new Problem('step-up-required');
  }
}
