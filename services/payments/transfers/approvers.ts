import type { Transaction } from '@arboleda/chassis/ports/sql.ts';
import type { EventData } from '@arboleda/contracts/events/index.ts';
import { mayDo } from '@arboleda/contracts/permissions.ts';

/**
 * Whether an approval, or an import that counts as one, is void: its admin was deactivated or lost the right to decide on
 * transfers since. An SQL condition on the admin's id and the time.
 *
 * Payments listens to auth instead of asking it: the rule then holds while auth is down, and is checked in the transaction
 * that decides. Getting the right back does not bring old approvals back.
 */
export const isVoid = (adminId: string, at: string): string => `exists (
  select from transfer_approvers a
  where a.admin_id = ${adminId} and (not a.may_approve or ${at} <= a.void_until))`;

/** Events of one admin may arrive in any order. */
export async function followApprover(
  tx: Transaction,
  { accountId, to, active, at }: EventData<'admin.role_changed'>,
): Promise<void> {
  const mayApprove = active && mayDo(to, 'transfers:decide');
  await tx.query(
    `insert into transfer_approvers as kept (admin_id, may_approve, void_until, changed_at)
     values ($1, $2, case when not $2 then $3::timestamptz end, $3)
     on conflict (admin_id) do update set
       may_approve = case when excluded.changed_at < kept.changed_at then kept.may_approve else excluded.may_approve end,
       void_until = case when kept.may_approve and excluded.may_approve then kept.void_until
         else greatest(kept.void_until, excluded.changed_at) end,
       changed_at = greatest(kept.changed_at, excluded.changed_at)`,
    [accountId, mayApprove, at],
  );
}
