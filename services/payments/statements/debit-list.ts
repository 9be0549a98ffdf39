import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import type { ApiResponse } from '@arboleda/contracts/api.ts';
import type { Actor } from '@arboleda/contracts/fields.ts';
import { shortId } from '@arboleda/contracts/order.ts';
import { searchPatterns } from '@arboleda/contracts/search.ts';
import type { DebitList } from '@arboleda/contracts/statement.ts';
import { type RefundByHand, refundsByHand } from './refund-proofs.ts';
import { type Debit, openReturns, type Returned, returnsOf } from './returns.ts';

type DebitsAnswer = ApiResponse<'GET /api/admin/statement-debits'>;
export type DebitView = DebitsAnswer['debits'][number];

/** Position in a list: day or time of the decision, and id. */
export type DebitPosition = [string, string];

const MAX_SHOWN = 5;

interface DebitRow {
  id: string;
  statement_id: string;
  bank: DebitView['bank'];
  day: string;
  amount_minor: string;
  currency: DebitView['currency'];
  text: string;
  name: string | null;
  number: string | null;
  refs: string[];
  is_reversal: boolean;
  status: 'open' | 'return' | 'refund' | 'other';
  row_id: string | null;
  order_id: string | null;
  refund_id: string | null;
  decided_by: Actor | null;
  decided_at: Date | null;
  place: Date;
}

const COLUMNS = `d.id, d.statement_id, d.bank, d.day::text, d.amount_minor, d.currency, d.text, d.name, d.number, d.refs,
  d.is_reversal, d.status, d.row_id, d.order_id, d.refund_id, d.decided_by, d.decided_at`;

export interface DebitLists {
  page(asked: {
    list: DebitList;
    q: string | undefined;
    limit: number;
    after: DebitPosition | undefined;
  }): Promise<Omit<DebitsAnswer, 'nextCursor'> & { next?: DebitPosition }>;
  /** @returns undefined for an unknown id */
  view(debitId: string): Promise<DebitView | undefined>;
}

/** Debits for admins. */
export function debitLists(sql: Sql): DebitLists {
  async function viewed(rows: readonly DebitRow[]): Promise<DebitView[]> {
    const debits = rows.map(debitOf);
    const ids = rows.map(({ id }) => id);
    const [returns, refunds, held, proven] = await Promise.all([
      returnsOf(sql, debits),
      refundsByHand(sql, debits),
      heldBy(sql, ids),
      refundsNamed(
        sql,
        rows.flatMap(({ refund_id: refundId }) => refundId ?? []),
      ),
    ]);
    const returnOf = new Map(returns.map((one) => [one.debit.id, one]));
    return rows.map((row) => ({
      debitId: row.id,
      statementId: row.statement_id,
      bank: row.bank,
      day: row.day,
      amount: Number(row.amount_minor),
      currency: row.currency,
      text: row.text,
      ...(row.name !== null && { name: row.name }),
      ...(row.number !== null && { number: row.number }),
      ...(row.is_reversal && { isReversal: true as const }),
      list: row.status === 'open' ? (returnOf.has(row.id) ? 'returns' : 'others') : 'done',
      credits: creditsOf(row, returnOf.get(row.id)),
      heldOrders: held.get(row.id) ?? [],
      ...(row.refund_id !== null && proven.has(row.refund_id) && { refund: proven.get(row.refund_id)! }),
      refunds: refunds
        .filter((one) => isOfSum(one, row))
        .slice(0, MAX_SHOWN)
        .map(refundView),
      ...(row.status !== 'open' && {
        decision: { kind: row.status, by: row.decided_by!, at: row.decided_at!.toISOString() },
      }),
    }));
  }

  return {
    async page({ list, q, limit, after }) {
      const returns = (await openReturns(sql)).map(({ debit }) => debit.id);
      const isDone = list === 'done';
      const [place, direction, beyond] = isDone
        ? ['d.decided_at', 'desc', '<']
        : ['d.day::timestamptz', 'desc', '<'];
      const { rows } = await sql.query<DebitRow>(
        `select ${COLUMNS}, ${place} as place from statement_debits d
         where ${CONDITIONS[list]} and $1::text[] is not null
           and ($2::text[] is null
             or search_text(d.text || E'\\n' || coalesce(d.name, '') || E'\\n' || coalesce(d.number, '')) like any($2))
           and ($3::timestamptz is null or (${place}, d.id) ${beyond} ($3, $4))
         order by ${place} ${direction}, d.id ${direction} limit $5`,
        [returns, searchPatterns(q), after ? new Date(after[0]) : null, after?.[1] ?? null, limit + 1],
      );
      const shown = rows.slice(0, limit);
      const last = shown.at(-1);
      return {
        debits: await viewed(shown),
        ...(rows.length > limit && last && { next: [last.place.toISOString(), last.id] as DebitPosition }),
        counts: { returns: returns.length },
      };
    },

    async view(debitId) {
      const { rows } = await sql.query<DebitRow>(
        `select ${COLUMNS}, now() as place from statement_debits d where d.id = $1`,
        [debitId],
      );
      return (await viewed(rows))[0];
    },
  };
}

/** On $1: ids of the open debits that may be returns. */
const CONDITIONS: Record<DebitList, string> = {
  returns: `d.status = 'open' and d.id = any($1)`,
  others: `d.status = 'open' and not d.id = any($1)`,
  done: `d.status <> 'open'`,
};

const debitOf = (row: DebitRow): Debit => ({
  id: row.id,
  day: row.day,
  amountMinor: Number(row.amount_minor),
  currency: row.currency,
  text: row.text,
  name: row.name ?? undefined,
  number: row.number ?? undefined,
  references: row.refs,
  isReversal: row.is_reversal,
});

function creditsOf(row: DebitRow, returned: Returned | undefined): DebitView['credits'] {
  const isTheOne = ({ incoming }: Returned['candidates'][number]) =>
    row.row_id === null
      ? incoming.orders.some(({ orderId }) => orderId === row.order_id)
      : incoming.rowId === row.row_id;
  const candidates = returned?.candidates ?? [];
  const shown =
    row.status === 'return' ? candidates.filter(isTheOne) : row.status === 'refund' ? [] : candidates;
  return shown.slice(0, MAX_SHOWN).map(({ incoming, reasons }) => ({
    ...(incoming.rowId !== undefined && { rowId: incoming.rowId }),
    day: incoming.day,
    amount: incoming.amountMinor,
    text: incoming.text,
    ...(incoming.name !== undefined && { name: incoming.name }),
    ...(incoming.number !== undefined && { number: incoming.number }),
    orders: incoming.orders.map(({ orderId, customerName, status }) => ({
      orderId,
      shortId: shortId(orderId),
      customerName,
      verificationStatus: status,
    })),
    reasons: [...reasons],
  }));
}

const isOfSum = (refund: RefundByHand, row: DebitRow): boolean =>
  row.status !== 'return' &&
  refund.amountMinor === Number(row.amount_minor) &&
  refund.currency === row.currency;

const refundView = ({ refundId, orderId, customerName, amountMinor, createdAt }: RefundByHand) => ({
  refundId,
  orderId,
  shortId: shortId(orderId),
  customerName,
  amount: amountMinor,
  createdAt: createdAt.toISOString(),
});

/** Orders that wait for the decision on debits, by debit. */
async function heldBy(sql: Sql, debitIds: readonly string[]) {
  const { rows } = await sql.query<{ debit_id: string; order_id: string; name: string }>(
    `select h.debit_id, h.order_id, t.customer ->> 'name' as name
     from suspected_returns h join transfers t on t.order_id = h.order_id
     where h.debit_id = any($1) and h.settled_at is null order by h.order_id`,
    [debitIds],
  );
  return Map.groupBy(
    rows.map((row) => ({
      debitId: row.debit_id,
      orderId: row.order_id,
      shortId: shortId(row.order_id),
      customerName: row.name,
    })),
    ({ debitId }) => debitId,
  );
}

async function refundsNamed(sql: Sql, refundIds: readonly string[]) {
  const { rows } = await sql.query<{
    id: string;
    order_id: string;
    name: string;
    amount_minor: string;
    created_at: Date;
  }>(
    `select r.id, r.order_id, p.customer ->> 'name' as name, r.amount_minor, r.created_at
     from refunds r join all_payments p on p.order_id = r.order_id where r.id = any($1)`,
    [refundIds],
  );
  return new Map(
    rows.map((row) => [
      row.id,
      refundView({
        refundId: row.id,
        orderId: row.order_id,
        customerName: row.name,
        amountMinor: Number(row.amount_minor),
        currency: '',
        reference: undefined,
        createdAt: row.created_at,
      }),
    ]),
  );
}
