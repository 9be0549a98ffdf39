import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import type { ApiResponse } from '@arboleda/contracts/api.ts';
import { shortId } from '@arboleda/contracts/order.ts';
import { owedMinor } from '../refunds/refund.ts';
import { accountsOf, type PaidAccount } from '../refunds/store.ts';
import { subjectsNamed } from '../subject.ts';

export type Attention = ApiResponse<'GET /api/admin/money/attention'>;

const LOST_SHOWN_MS = 30 * 86_400_000;
/** As Stripe says: nothing is to be done about these. */
const OVER = ['won', 'lost', 'prevented', 'warning_closed'];

/** Money that an admin has to look after. */
export async function readAttention(sql: Sql, now: Date): Promise<Attention> {
  const lostSince = new Date(now.getTime() - LOST_SHOWN_MS);
  const { rows } = await sql.query<{ id: string }>(
    `select subject_id as id from refunds where status = 'failed'
     union
     select subject_id from disputes where not status = any($1) or (status = 'lost' and updated_at >= $2)`,
    [OVER, lostSince],
  );
  const accounts = await accountsOf(
    sql,
    await subjectsNamed(
      sql,
      rows.map(({ id }) => id),
    ),
  );
  const orders = await ordersOf(
    sql,
    accounts.map(({ subject }) => subject.orderId),
  );
  const about = ({ subject }: PaidAccount) => ({
    ...orders.get(subject.orderId)!,
    ...(subject.photoPackage && { photoPackageType: subject.photoPackage.photoPackageType }),
  });

  const toReturn = accounts.flatMap((account) => {
    const amount = owedMinor(account);
    const last = account.refunds.findLast(({ status }) => status === 'failed');
    if (amount === 0 || !last) return [];
    const { currency } = account.subject;
    const since = (last.settledAt ?? last.createdAt).toISOString();
    return [{ ...about(account), amount, currency, since, failureReason: last.failureReason }];
  });
  const disputes = accounts.flatMap((account) =>
    account.disputes
      .filter(
        ({ status, updatedAt }) => !OVER.includes(status) || (status === 'lost' && updatedAt >= lostSince),
      )
      .map(({ amountMinor: amount, currency, status, reason, updatedAt }) => ({
        ...about(account),
        amount,
        currency,
        status,
        reason,
        updatedAt: updatedAt.toISOString(),
      })),
  );
  return {
    toReturn: toReturn.sort((a, b) => a.since.localeCompare(b.since)),
    disputes: disputes.sort((a, b) => b.updatedAt.localeCompare(a.updatedAt)),
  };
}

async function ordersOf(sql: Sql, orderIds: readonly string[]) {
  const { rows } = await sql.query<{ id: string; order_id: string; customer: { name: string } }>(
    'select id, order_id, customer from all_payments where order_id = any($1)',
    [orderIds],
  );
  return new Map(
    rows.map(({ id: paymentId, order_id: orderId, customer }) => [
      orderId,
      { paymentId, orderId, shortId: shortId(orderId), customerName: customer.name },
    ]),
  );
}
