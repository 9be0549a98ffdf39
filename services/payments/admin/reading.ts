import { pageOf } from '@arboleda/chassis/http/cursor.ts';
import type { Call } from '@arboleda/chassis/http/handlers.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import type { ApiResponse } from '@arboleda/contracts/api.ts';
import type { Endpoints } from '@arboleda/contracts/endpoints/index.ts';
import { shortId } from '@arboleda/contracts/order.ts';
import { searchPatterns } from '@arboleda/contracts/search.ts';
import { statementMatching } from '../statements/matching.ts';
import { openReturns } from '../statements/returns.ts';
import { withoutOrder } from '../statements/rows.ts';
import { purchasesOf } from '../photo-packages/store.ts';
import { isClaimed, owedMinor } from '../money/refund.ts';
import { accountsOf, type PaidAccount } from '../money/store.ts';
import { subjectsNamed } from '../money/subject.ts';
import { decodeCursor, encodeCursor } from '../transfers/list.ts';
import {
  listedView,
  soldPackageView,
  type SoldPackageRow,
  type PaymentRow,
  paymentView,
  type PaymentView,
} from './views.ts';

/** The query of a list, as its contract says. */
type Asked<Key extends keyof Endpoints> = Call<Endpoints[Key]>['query'];

/** Read-only queries for the admin: payments of all kinds, by card and by transfer. */
export interface PaymentReading {
  /** Newest first. @throws Problem `validation-failed` on `cursor` */
  page(asked: Asked<'GET /api/admin/payments'>): Promise<ApiResponse<'GET /api/admin/payments'>>;
  /** Photo packages that were paid, latest first. @throws Problem `validation-failed` on `cursor` */
  soldPackages(
    asked: Asked<'GET /api/admin/photo-packages'>,
  ): Promise<ApiResponse<'GET /api/admin/photo-packages'>>;
  payment(paymentId: string): Promise<PaymentView | undefined>;
  paymentOfOrder(orderId: string): Promise<PaymentView | undefined>;
  attention(): Promise<Attention>;
}

const COLUMNS = `p.id, p.order_id, p.bank, p.status, p.package_type, p.trees, p.amount_minor, p.currency,
  p.customer, p.language, p.locale, p.quote, p.transaction_id, p.card, p.failure_reason, p.received, p.paid_at, p.charge,
  p.created_at,
  (select coalesce(sum(r.amount_minor), 0) from refunds r where r.subject_id = p.id and r.status = 'succeeded') as refunded_minor,
  exists (select 1 from disputes d where d.order_id = p.order_id) as is_disputed,
  exists (select 1 from disputes d where d.order_id = p.order_id and d.status = 'lost') as is_dispute_lost,
  exists (select 1 from refunds r where r.order_id = p.order_id and r.subject = 'purchase' and r.status = 'succeeded')
    as is_package_refunded`;

export function paymentReading(sql: Sql, clock: () => Date): PaymentReading {
  async function whole(condition: string, value: string): Promise<PaymentView | undefined> {
    const { rows } = await sql.query<PaymentRow>(`select ${COLUMNS} from all_payments p where ${condition}`, [
      value,
    ]);
    const row = rows[0];
    if (!row) return undefined;
    const purchases = await purchasesOf(sql, row.order_id);
    const subjects = [row.id, ...purchases.map(({ purchaseId }) => purchaseId)];
    const accounts = await accountsOf(sql, await subjectsNamed(sql, subjects));
    return paymentView(row, {
      accounts: new Map(accounts.map((account) => [account.subject.id, account])),
      purchases,
    });
  }

  return {
    async page({ status, q, from, to, limit, cursor }) {
      const after = cursor ? decodeCursor(cursor) : undefined;
      const { rows } = await sql.query<PaymentRow>(
        `select ${COLUMNS} from all_payments p
         where ($1::text is null or p.status = $1)
           and ($2::text[] is null or p.words like any($2))
           and ($3::timestamptz is null or p.created_at >= $3)
           and ($4::timestamptz is null or p.created_at < $4)
           and ($5::timestamptz is null or (p.created_at, p.id) < ($5, $6))
         order by p.created_at desc, p.id desc limit $7`,
        [
          status ?? null,
          searchPatterns(q),
          dateOf(from),
          dateOf(to),
          dateOf(after?.[0]),
          after?.[1] ?? null,
          limit + 1,
        ],
      );
      const { rows: shown, ...next } = pageOf(rows, limit, ({ created_at, id }) =>
        encodeCursor([created_at.toISOString(), id]),
      );
      return { payments: shown.map(listedView), ...next };
    },
    async soldPackages({ from, to, limit, cursor }) {
      const after = cursor ? decodeCursor(cursor) : undefined;
      const { rows } = await sql.query<SoldPackageRow>(
        `select s.id, s.order_id, s.photo_package_type, s.status, s.amount_minor, s.currency, s.purchased_at,
           p.id as payment_id, p.customer,
           (select coalesce(sum(r.amount_minor), 0) from refunds r where r.subject_id = s.id and r.status = 'succeeded')
             as refunded_minor
         from package_purchases s join all_payments p using (order_id)
         where s.status in ('active', 'completed', 'stopped')
           and ($1::timestamptz is null or s.purchased_at >= $1)
           and ($2::timestamptz is null or s.purchased_at < $2)
           and ($3::timestamptz is null or (s.purchased_at, s.id) < ($3, $4))
         order by s.purchased_at desc, s.id desc limit $5`,
        [dateOf(from), dateOf(to), dateOf(after?.[0]), after?.[1] ?? null, limit + 1],
      );
      const { rows: shown, ...next } = pageOf(rows, limit, ({ purchased_at, id }) =>
        encodeCursor([purchased_at.toISOString(), id]),
      );
      return { photoPackages: shown.map(soldPackageView), ...next };
    },
    payment: (paymentId) => whole('p.id = $1', paymentId),
    attention: () => readAttention(sql, clock()),
    paymentOfOrder: (orderId) => whole('p.order_id = $1', orderId),
  };
}

/** PostgreSQL has no year 0, so such instants match nothing. */
const dateOf = (instant: string | undefined): Date | null =>
  instant === undefined ? null : new Date(instant);

type Attention = ApiResponse<'GET /api/admin/money/attention'>;

const LOST_SHOWN_MS = 30 * 86_400_000;
/** A bank transfer by hand takes minutes. */
const NOTED_WITHIN_MS = 3_600_000;
/** Final states at Stripe: no action is left. */
const OVER = ['won', 'lost', 'prevented', 'warning_closed'];

/** Refunds and disputes that an admin has to handle. */
async function readAttention(sql: Sql, now: Date): Promise<Attention> {
  const lostSince = new Date(now.getTime() - LOST_SHOWN_MS);
  const notedBy = new Date(now.getTime() - NOTED_WITHIN_MS);
  const { rows } = await sql.query<{ id: string }>(
    `select subject_id as id from refunds where status = 'failed'
     union
     select subject_id from refunds where status = 'pending' and method = 'hand' and created_at < $3
     union
     select subject_id from disputes where not status = any($1) or (status = 'lost' and updated_at >= $2)`,
    [OVER, lostSince, notedBy],
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
  const toNote = accounts.flatMap((account) =>
    account.refunds
      .filter((refund) => isClaimed(refund) && refund.createdAt < notedBy)
      .map(({ amountMinor: amount, currency, by, createdAt }) => ({
        ...about(account),
        amount,
        currency,
        since: createdAt.toISOString(),
        by: by?.name ?? '',
      })),
  );
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
  const kept = await withoutOrder(sql, statementMatching(sql));
  const days = (await openReturns(sql)).map(({ debit }) => debit.day).sort();
  return {
    ...(kept && { withoutOrder: kept }),
    ...(days.length > 0 && { returns: { count: days.length, oldestDay: days[0]! } }),
    toReturn: toReturn.sort((a, b) => a.since.localeCompare(b.since)),
    toNote: toNote.sort((a, b) => a.since.localeCompare(b.since)),
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
