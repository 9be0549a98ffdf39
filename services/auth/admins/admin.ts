import type { NewEvent } from '@arboleda/contracts/events/index.ts';
import type { AdminRole } from '@arboleda/contracts/permissions.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import type { Account } from '../accounts/account.ts';

/** An owner's changes of an admin; undefined fields stay. */
export interface AdminChanges {
  name?: string | undefined;
  role?: AdminRole | undefined;
  active?: boolean | undefined;
}

/** The facts that the rules about owners need. */
export interface AdminStanding {
  adminRole: AdminRole;
  active: boolean;
  hasSecondFactor: boolean;
}

/** @throws Problem `forbidden` unless they are an owner; `second-factor-needed` without two-factor login */
export function requireManager({ adminRole, hasSecondFactor }: Omit<AdminStanding, 'active'>): void {
  if (adminRole !== 'owner') throw new Problem('forbidden');
  if (!hasSecondFactor) throw new Problem('second-factor-needed');
}

/**
 * Applies an owner's changes. Another role, or the end of an account, ends the sessions.
 *
 * The acting owner stays one, so there is always an owner with two-factor login.
 * @returns the same object when nothing changes
 * @throws Problem `own-role` when owners change their own role or deactivate themselves
 */
export function changeAdmin(account: Account, changes: AdminChanges, actorId: string): Account {
  const next: Account = {
    ...account,
    name: changes.name ?? account.name,
    adminRole: changes.role ?? account.adminRole,
    active: changes.active ?? account.active,
  };
  const hasOtherRights = next.adminRole !== account.adminRole || next.active !== account.active;
  if (!hasOtherRights && next.name === account.name) return account;
  if (hasOtherRights && account.id === actorId) throw new Problem('own-role');
  return {
    ...next,
    tokenVersion: account.tokenVersion + (hasOtherRights ? 1 : 0),
    revision: account.revision + 1,
  };
}

/**
 * Keeps an owner with two-factor login while there are other admins, whom nobody else could manage.
 * @param others all admins but this one
 * @throws Problem `last-owner` when turning two-factor login off would leave none
 */
export function requireAnotherOwner(
  { adminRole }: Pick<AdminStanding, 'adminRole'>,
  others: readonly AdminStanding[],
): void {
  const active = others.filter((other) => other.active);
  const hasOwner = active.some((other) => other.adminRole === 'owner' && other.hasSecondFactor);
  if (adminRole === 'owner' && active.length > 0 && !hasOwner) throw new Problem('last-owner');
}

/**
 * Notifies the admin. No event when role and activity stay, or before they accepted the invitation.
 * @param by absent for an operator
 */
export function roleChanged(
  before: Account,
  after: Account,
  by: { id: string; name: string } | undefined,
  at: Date,
): NewEvent[] {
  const hasOtherRights = before.adminRole !== after.adminRole || before.active !== after.active;
  if (!hasOtherRights || after.invitationPending) return [];
  const { id: accountId, name, email, language, active } = after;
  return [
    {
      type: 'admin.role_changed',
      data: {
        accountId,
        name,
        email,
        language,
        from: before.adminRole!,
        to: after.adminRole!,
        active,
        ...(by && { by: { role: 'admin', id: by.id, name: by.name } }),
        at: at.toISOString(),
      },
    },
  ];
}
