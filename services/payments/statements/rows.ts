import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import type { ApiResponse } from '@arboleda/contracts/api.ts';
import { shortId } from '@arboleda/contracts/order.ts';
import { searchPatterns } from '@arboleda/contracts/search.ts';
import type { RowList } from '@arboleda/contracts/statement.ts';
import type { Match } from './match.ts';
import type { StatementMatching } from './matching.ts';
import { bankRowOf, type ReturnOfRow, returnsByRow, saysReturn } from './returns.ts';
import { ROWS, type StatementRow, STRANDED } from './row-store.ts';

type RowsAnswer = ApiResponse<'GET /api/admin/statement-rows'>;
type RowView = RowsAnswer['rows'][number];

/** Position in a list: day or time of the decision, and id. */
export type RowPosition = [string, string];

export interface StatementRows {
  page(asked: {
    list: RowList;
    q: string | undefined;
    limit: number;
    after: RowPosition | undefined;
  }): Promise<Omit<RowsAnswer, 'nextCursor'> & { next?: RowPosition }>;
  views(ids: readonly string[]): Promise<RowView[]>;
}

export function statementRows(sql: Sql, matching: Pick<StatementMatching, 'all'>): StatementRows {
  async function viewed(rows: readonly StatementRow[], matches: ReadonlyMap<string, Match>) {
    const orderIds = rows.flatMap((row) => [
      ...(row.order_id === null ? [] : [row.order_id]),
      ...(matches.get(row.id)?.candidates ?? []).map(({ orderId }) => orderId),
    ]);
    const [orders, twins, returns] = await Promise.all([
      ordersOf(sql, orderIds),
      twinsOf(sql, rows),
      returnsByRow(sql),
    ]);
    return rows.map((row) => ({
      ...rowView(row, matches.get(row.id), orders),
      ...twins.get(row.id),
      ...returnsView(returns.get(bankRowOf(row.id))),
    }));
  }

  return {
    async page({ list, q, limit, after }) {
      const matches = await matching.all();
      const idsOf = (wanted: Match['list']) =>
        [...matches].flatMap(([id, match]) => (match.list === wanted ? [id] : []));
      const isDone = list === 'done';
      const [place, direction, beyond] = isDone
        ? ['r.decided_at', 'desc', '<']
        : ['r.day::timestamptz', 'asc', '>'];
      const values = [idsOf('sure'), idsOf('perhaps'), idsOf('without-order'), [...matches.keys()]];
      const [{ rows }, { rows: counted }] = await Promise.all([
        sql.query<StatementRow & { place: Date }>(
          `select * from (${ROWS.replace('select ', `select ${place} as place, `)} where ${CONDITIONS[list]}
             and ($5::text[] is null
               or search_text(r.text || E'\\n' || coalesce(r.name, '') || E'\\n' || coalesce(r.number, '')) like any($5))
             and ($6::timestamptz is null or (${place}, r.id) ${beyond} ($6, $7))
           ) found where $1::text[] is not null and $2::text[] is not null and $3::text[] is not null
             and $4::text[] is not null
           order by place ${direction}, id ${direction} limit $8`,
          [...values, searchPatterns(q), after ? new Date(after[0]) : null, after?.[1] ?? null, limit + 1],
        ),
        sql.query<{ unknown: number; without: number }>(
          `select count(*) filter (where r.status = 'open')::int as unknown,
             count(*) filter (where r.status <> 'open')::int as without
           from statement_rows r where r.status in ('open', 'kept') or ${STRANDED}`,
        ),
      ]);
      const shown = rows.slice(0, limit);
      const last = shown.at(-1);
      const { unknown, without } = counted[0]!;
      return {
        rows: await viewed(shown, matches),
        ...(rows.length > limit && last && { next: [last.place.toISOString(), last.id] as RowPosition }),
        counts: {
          sure: values[0]!.length,
          perhaps: values[1]!.length,
          unknown: Math.max(unknown - matches.size, 0),
          withoutOrder: without + values[2]!.length,
        },
      };
    },

    async views(ids) {
      const [{ rows }, matches] = await Promise.all([
        sql.query<StatementRow>(
          `${ROWS} where r.id = any($1) or r.parent_id = any($1) order by r.day, r.id`,
          [ids],
        ),
        matching.all(),
      ]);
      return viewed(rows, matches);
    },
  };
}

/** On $1 to $4: ids of the sure rows, those of perhaps, those without an order, and all of them. */
const CONDITIONS: Record<RowList, string> = {
  sure: `r.status = 'open' and r.id = any($1)`,
  perhaps: `r.status = 'open' and r.id = any($2)`,
  unknown: `r.status = 'open' and not r.id = any($4)`,
  'without-order': `(r.status = 'kept' or (r.status = 'open' and r.id = any($3)) or ${STRANDED})`,
  done: `r.status in ('linked', 'split', 'ignored') and not ${STRANDED}`,
};

const SAME_TEXT = (of: string) => `split_part(search_text(${of}.text), E'\\n', 2)`;

/**
 * Rows that are perhaps the same credit, from files that tell rows apart in different ways: by the bank's number, and by
 * the balance. They are not merged, as nothing proves it.
 */
async function twinsOf(sql: Sql, rows: readonly StatementRow[]) {
  const { rows: found } = await sql.query<{ id: string; twin: string; file_name: string; imported_at: Date }>(
    `select r.id, twin.id as twin, s.file_name, s.imported_at
     from statement_rows r join lateral (
       select o.id, o.statement_id from statement_rows o
       where o.day = r.day and o.amount_minor = r.amount_minor and o.currency = r.currency and o.bank = r.bank
         and o.parent_id is null and o.statement_id <> r.statement_id and (o.number is null) <> (r.number is null)
         and ${SAME_TEXT('o')} = ${SAME_TEXT('r')}
       order by o.id limit 1
     ) twin on true join statements s on s.id = twin.statement_id
     where r.id = any($1) and r.parent_id is null and r.text <> ''`,
    [rows.map(({ id }) => id)],
  );
  return new Map(
    found.map(({ id, twin, file_name: fileName, imported_at: importedAt }) => [
      id,
      { sameAs: { rowId: twin, fileName, importedAt: importedAt.toISOString() } },
    ]),
  );
}

type OrderView = RowView['orders'][number];

async function ordersOf(sql: Sql, ids: readonly string[]): Promise<Map<string, Omit<OrderView, 'reasons'>>> {
  const { rows } = await sql.query<{
    order_id: string;
    name: string;
    trees: number;
    amount_minor: string;
    currency: OrderView['currency'];
    reference: string | null;
    status: OrderView['verificationStatus'];
    created_at: Date;
    paid: string;
  }>(
    `select t.order_id, t.customer ->> 'name' as name, t.trees, t.amount_minor, t.currency, t.reference, t.status,
       t.created_at,
       coalesce((select sum(amount_minor) from statement_rows r where r.order_id = t.order_id), 0) as paid
     from transfers t where t.order_id = any($1)`,
    [[...new Set(ids)]],
  );
  return new Map(
    rows.map((row) => [
      row.order_id,
      {
        orderId: row.order_id,
        shortId: shortId(row.order_id),
        customerName: row.name,
        trees: row.trees,
        amount: Number(row.amount_minor),
        currency: row.currency,
        ...(row.reference !== null && { referenceNumber: row.reference }),
        verificationStatus: row.status,
        submittedAt: row.created_at.toISOString(),
        paidAmount: Number(row.paid),
      },
    ]),
  );
}

function rowView(
  row: StatementRow,
  match: Match | undefined,
  orders: ReadonlyMap<string, Omit<OrderView, 'reasons'>>,
): RowView {
  const candidates =
    row.order_id === null ? (match?.candidates ?? []) : [{ orderId: row.order_id, reasons: [] }];
  const list = listOf(row, match);
  return {
    rowId: row.id,
    statementId: row.statement_id,
    bank: row.bank,
    day: row.day,
    amount: Number(row.amount_minor),
    currency: row.currency,
    text: row.text,
    ...(row.name !== null && { name: row.name }),
    ...(row.number !== null && { number: row.number }),
    list,
    orders: candidates.flatMap(({ orderId, reasons }) => {
      const order = orders.get(orderId);
      return order ? [{ ...order, reasons: [...reasons] }] : [];
    }),
    ...((row.is_reversal || saysReturn(row.text)) && { isReversal: true as const }),
    ...(row.parent_id !== null && { partOf: row.parent_id }),
    ...(row.status !== 'open' && {
      decision: {
        kind: row.status,
        by: row.decided_by!,
        at: row.decided_at!.toISOString(),
        ...(row.reason !== null && { reason: row.reason }),
      },
    }),
    ...(list === 'without-order' && { owner: row.status === 'kept' ? row.decided_by! : row.importer }),
  };
}

const returnsView = (returns: readonly ReturnOfRow[] | undefined): Pick<RowView, 'returns'> =>
  returns
    ? {
        returns: returns.map(({ debit, reasons, isDecided }) => ({
          debitId: debit.id,
          day: debit.day,
          amount: debit.amountMinor,
          text: debit.text,
          ...(debit.name !== undefined && { name: debit.name }),
          ...(debit.number !== undefined && { number: debit.number }),
          reasons: [...reasons],
          ...(isDecided && { isDecided: true as const }),
        })),
      }
    : {};

function listOf({ status, is_stranded: isStranded }: StatementRow, match: Match | undefined): RowList {
  if (status === 'kept' || isStranded) return 'without-order';
  return status === 'open' ? (match?.list ?? 'unknown') : 'done';
}

/** Money without an order, for the overview. */
export async function withoutOrder(sql: Sql, matching: Pick<StatementMatching, 'all'>) {
  const matched = [...(await matching.all())].flatMap(([id, { list }]) =>
    list === 'without-order' ? [id] : [],
  );
  const { rows } = await sql.query<{ currency: string; count: number; amount: string; oldest: string }>(
    `select r.currency, count(*)::int as count, sum(r.amount_minor) as amount, min(r.day)::text as oldest
     from statement_rows r
     where r.status = 'kept' or (r.status = 'open' and r.id = any($1)) or ${STRANDED}
     group by r.currency order by r.currency`,
    [matched],
  );
  if (rows.length === 0) return undefined;
  return {
    count: rows.reduce((sum, { count }) => sum + count, 0),
    amounts: rows.map(({ currency, amount }) => ({ currency, amount: Number(amount) })),
    oldestDay: rows.map(({ oldest }) => oldest).sort()[0]!,
  };
}
