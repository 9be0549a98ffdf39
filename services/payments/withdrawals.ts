import type { Transaction } from '@arboleda/chassis/ports/sql.ts';

/** Whether the donor of an order is withdrawing from it, or withdrew: an SQL condition on the order's id. */
export const isWithdrawing = (orderId: string): string => `exists (
  select from withdrawals w where w.order_id = ${orderId} and w.requested_at > coalesce(w.retracted_at, '-infinity'))`;

/** Remembers a request or its retraction. They are events of two topics, which have no common order. */
export async function keepWithdrawal(
  tx: Transaction,
  { orderId, ...at }: { orderId: string; requestedAt?: string; retractedAt?: string },
): Promise<void> {
  await tx.query(
    `insert into withdrawals as kept (order_id, requested_at, retracted_at) values ($1, $2, $3)
     on conflict (order_id) do update set
       requested_at = greatest(kept.requested_at, excluded.requested_at),
       retracted_at = greatest(kept.retracted_at, excluded.retracted_at)`,
    [orderId, at.requestedAt ?? null, at.retractedAt ?? null],
  );
}
