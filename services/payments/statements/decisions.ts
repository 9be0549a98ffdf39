import type { Sql, Transaction } from '@arboleda/chassis/ports/sql.ts';
import type { Actor } from '@arboleda/contracts/fields.ts';
import { minorPerMajor } from '@arboleda/contracts/money.ts';
import { Problem, type ProblemType } from '@arboleda/contracts/problems.ts';
import type { AmountChoice } from '@arboleda/contracts/statement.ts';
import type { TransferStore } from '../transfers/store.ts';
import {
  type ApprovalRule,
  needsSecondAdmin,
  type Transfer,
  type TransferDecision,
  withoutFirst,
} from '../transfers/transfer.ts';
import { decideLink, type LinkDecision } from './link.ts';
import type { StatementMatching } from './matching.ts';
import { lockRows, type StatementRow } from './rows.ts';

interface ApprovalResult {
  rowId: string;
  orderId: string;
  outcome: 'approved' | 'first-approved' | 'refused';
  problem?: ProblemType;
}

/** Decisions on rows, each in one transaction that locks the transfer first and then the rows. */
export interface RowDecisions {
  /** Approves sure rows one by one; what is no longer sure is refused. */
  approve(rows: readonly { rowId: string; orderId: string }[], by: Actor): Promise<ApprovalResult[]>;
  /** Approves all sure rows up to a sum, as the product itself. @returns how many */
  approveUpTo(usd: number): Promise<number>;
  link(asked: {
    rowIds: readonly string[];
    orderId: string;
    choice: AmountChoice | undefined;
    by: Actor;
  }): Promise<LinkDecision['outcome']>;
  split(rowId: string, amounts: readonly number[], by: Actor): Promise<void>;
  ignore(rowIds: readonly string[], reason: string, by: Actor): Promise<void>;
  /** Again by another admin: it is theirs to look after. */
  keep(rowIds: readonly string[], by: Actor): Promise<void>;
  undo(rowIds: readonly string[]): Promise<void>;
}

const PRODUCT: Actor = { role: 'system' };
/** Parts of parts of parts; a row's id grows with each. */
const MAX_ID_LENGTH = 60;

export function rowDecisions(parts: {
  sql: Sql;
  transfers: Pick<TransferStore, 'decideIn' | 'lock'>;
  matching: Pick<StatementMatching, 'all'>;
  rule: ApprovalRule;
  decided: (decision: TransferDecision) => void;
  clock: () => Date;
}): RowDecisions {
  const { sql, transfers, matching, rule, decided, clock } = parts;

  async function linkIn(
    tx: Transaction,
    asked: { rows: readonly StatementRow[]; orderId: string; choice?: AmountChoice | undefined; by: Actor },
  ): Promise<LinkDecision> {
    const { rows, orderId, choice, by } = asked;
    const at = clock();
    const linkedMinor = await linkedSum(tx, orderId);
    let linked: LinkDecision | undefined;
    const outcome = await transfers.decideIn(tx, orderId, (transfer) => {
      linked = decideLink({
        transfer,
        linkedMinor,
        rows: rows.map(toLink),
        choice,
        by,
        at: at.toISOString(),
        rule,
        importers: rows.map(({ importer, imported_at: importedAt }) => ({
          by: importer,
          at: importedAt.toISOString(),
        })),
      });
      return linked;
    });
    if (!outcome || !linked) throw new Problem('not-found');
    const { link, keep, split, receivedMinor } = linked;
    await decide(tx, link, { status: 'linked', orderId, by, at });
    await decide(tx, keep, { status: 'kept', by, at });
    let linkedIds = link;
    if (split) {
      const [paying, rest] = await splitRow(tx, split.id, [split.linkMinor, split.keepMinor], by, at);
      await decide(tx, [paying!], { status: 'linked', orderId, by, at });
      await decide(tx, [rest!], { status: 'kept', by, at });
      linkedIds = [...link, paying!];
    }
    if (linkedIds.length > 0) await publishMatched(tx, outcome.transfer, linkedIds, receivedMinor, by, at);
    return linked;
  }

  async function publishMatched(
    tx: Transaction,
    { purchase, revision }: Transfer,
    rowIds: string[],
    receivedMinor: number,
    by: Actor,
    at: Date,
  ): Promise<void> {
    const { orderId, paymentId, amountMinor, currency } = purchase;
    const data = {
      orderId,
      paymentId,
      rowIds,
      receivedMinor,
      amountMinor,
      currency,
      by,
      at: at.toISOString(),
    };
    await tx.publish([{ type: 'transfer.matched', data }], revision);
  }

  /** Locks the transfer, then rows that must be open. */
  async function lockOpen(tx: Transaction, rowIds: readonly string[]): Promise<StatementRow[]> {
    const rows = await lockRows(tx, rowIds);
    if (rows.length < new Set(rowIds).size) throw new Problem('not-found');
    if (rows.some(({ status }) => status !== 'open' && status !== 'kept'))
      throw new Problem('statement-row-taken');
    return rows;
  }

  async function approveOne(
    { rowId, orderId }: { rowId: string; orderId: string },
    by: Actor,
    isSure: boolean,
  ): Promise<ApprovalResult> {
    let decision: TransferDecision | undefined;
    const outcome = await sql.transaction(async (tx): Promise<ApprovalResult['outcome']> => {
      const transfer = await transfers.lock(tx, orderId);
      const [row] = await lockRows(tx, [rowId]);
      if (!transfer || !row) throw new Problem('not-found');
      if (row.status === 'linked' && row.order_id === orderId) return linkedBefore(transfer);
      if (row.status !== 'open' || !isSure) throw new Problem('statement-row-taken');
      const linked = await linkIn(tx, { rows: [row], orderId, by });
      decision = linked.decision;
      return linked.outcome === 'approved' ? 'approved' : 'first-approved';
    });
    if (decision) decided(decision);
    return { rowId, orderId, outcome };
  }

  const surely = async () =>
    new Map(
      [...(await matching.all())].flatMap(([rowId, { list, candidates }]) =>
        list === 'sure' ? [[rowId, candidates[0]!.orderId] as const] : [],
      ),
    );

  async function approve(rows: readonly { rowId: string; orderId: string }[], by: Actor) {
    const sure = await surely();
    const results: ApprovalResult[] = [];
    for (const one of rows) {
      const result = await approveOne(one, by, sure.get(one.rowId) === one.orderId).catch(
        (error: unknown): ApprovalResult => {
          if (!(error instanceof Problem)) throw error;
          return { ...one, outcome: 'refused', problem: error.type };
        },
      );
      results.push(result);
    }
    return results;
  }

  return {
    approve,

    async approveUpTo(usd) {
      const small: { rowId: string; orderId: string }[] = [];
      for (const [rowId, orderId] of await surely()) {
        const transfer = await sql.transaction((tx) => transfers.lock(tx, orderId));
        if (!transfer || needsSecondAdmin(transfer, rule)) continue;
        const { amountMinor, currency, quote } = transfer.purchase;
        if (amountMinor / minorPerMajor(currency) / quote.rate <= usd) small.push({ rowId, orderId });
      }
      return (await approve(small, PRODUCT)).filter(({ outcome }) => outcome === 'approved').length;
    },

    async link({ rowIds, orderId, choice, by }) {
      const linked = await sql.transaction(async (tx) => {
        const transfer = await transfers.lock(tx, orderId);
        if (!transfer) throw new Problem('not-found');
        const rows = await lockRows(tx, rowIds);
        const isAllLinked =
          rows.length === new Set(rowIds).size && rows.every((row) => row.order_id === orderId);
        if (isAllLinked) return { outcome: linkedOutcome(transfer), decision: undefined };
        return linkIn(tx, { rows: await lockOpen(tx, rowIds), orderId, choice, by });
      });
      if (linked.decision) decided(linked.decision);
      return linked.outcome;
    },

    split: (rowId, amounts, by) =>
      sql.transaction(async (tx) => {
        const [row] = await lockOpen(tx, [rowId]);
        if (amounts.reduce((sum, amount) => sum + amount, 0) !== Number(row!.amount_minor))
          throw new Problem('split-sum-differs', {
            fields: [{ path: 'amounts', type: 'split-sum-differs' }],
          });
        await splitRow(tx, rowId, amounts, by, clock());
      }),

    ignore: (rowIds, reason, by) =>
      sql.transaction(async (tx) => {
        const rows = await lockOpenOr(tx, rowIds, 'ignored');
        await decide(tx, rows, { status: 'ignored', reason, by, at: clock() });
      }),

    keep: (rowIds, by) =>
      sql.transaction(async (tx) => {
        const rows = await lockOpen(tx, rowIds);
        await decide(
          tx,
          rows.map(({ id }) => id),
          { status: 'kept', by, at: clock() },
        );
      }),

    undo: (rowIds) =>
      sql.transaction(async (tx) => {
        for (const orderId of await ordersOf(tx, rowIds)) await transfers.lock(tx, orderId);
        const rows = await lockRows(tx, rowIds);
        if (rows.length < new Set(rowIds).size) throw new Problem('not-found');
        for (const row of rows) await undoOne(tx, row);
      }),
  };

  async function undoOne(tx: Transaction, { id, status, order_id: orderId }: StatementRow): Promise<void> {
    if (status === 'open') return;
    if (status === 'split') await removeParts(tx, id);
    if (status === 'linked') {
      const transfer = await transfers.lock(tx, orderId!);
      if (transfer?.state.status === 'approved' && transfer.state.approval.onStatement)
        throw new Problem('statement-row-approved');
    }
    await tx.query(
      `update statement_rows set status = 'open', order_id = null, reason = null, decided_by = null, decided_at = null
       where id = $1`,
      [id],
    );
    if (status === 'linked' && (await linkedSum(tx, orderId!)) === 0)
      await transfers.decideIn(tx, orderId!, (transfer) => ({ decision: withoutFirst(transfer) }));
  }
}

const toLink = ({ id, amount_minor: amountMinor, currency }: StatementRow) => ({
  id,
  amountMinor: Number(amountMinor),
  currency,
});

function linkedBefore({ state }: Transfer): 'approved' | 'first-approved' {
  if (state.status === 'approved') return 'approved';
  if (state.status === 'pending' && state.first) return 'first-approved';
  throw new Problem('statement-row-taken');
}

const linkedOutcome = ({ state }: Transfer): LinkDecision['outcome'] =>
  state.status === 'approved'
    ? 'approved'
    : state.status === 'pending' && state.first
      ? 'first-approved'
      : 'waiting';

async function linkedSum(tx: Transaction, orderId: string): Promise<number> {
  const { rows } = await tx.query<{ sum: string }>(
    'select coalesce(sum(amount_minor), 0) as sum from statement_rows where order_id = $1',
    [orderId],
  );
  return Number(rows[0]!.sum);
}

async function ordersOf(tx: Transaction, rowIds: readonly string[]): Promise<string[]> {
  const { rows } = await tx.query<{ order_id: string }>(
    'select distinct order_id from statement_rows where id = any($1) and order_id is not null order by order_id',
    [rowIds],
  );
  return rows.map((row) => row.order_id);
}

/** Rows that are open, kept, or have the status already; these stay as they are. */
async function lockOpenOr(tx: Transaction, rowIds: readonly string[], status: StatementRow['status']) {
  const rows = await lockRows(tx, rowIds);
  if (rows.length < new Set(rowIds).size) throw new Problem('not-found');
  const others = rows.filter((row) => row.status !== status);
  if (others.some((row) => row.status !== 'open' && row.status !== 'kept'))
    throw new Problem('statement-row-taken');
  return others.map(({ id }) => id);
}

async function decide(
  tx: Transaction,
  ids: readonly string[],
  to: { status: StatementRow['status']; orderId?: string; reason?: string; by: Actor; at: Date },
): Promise<void> {
  if (ids.length === 0) return;
  await tx.query(
    `update statement_rows set status = $2, order_id = $3, reason = $4, decided_by = $5, decided_at = $6
     where id = any($1)`,
    [ids, to.status, to.orderId ?? null, to.reason ?? null, JSON.stringify(to.by), to.at],
  );
}

/** Makes a row of each part. @returns their ids */
async function splitRow(
  tx: Transaction,
  id: string,
  amounts: readonly number[],
  by: Actor,
  at: Date,
): Promise<string[]> {
  const ids = amounts.map((_amount, index) => `${id}-${index + 1}`);
  if (ids.at(-1)!.length > MAX_ID_LENGTH) throw new Problem('statement-row-taken');
  await decide(tx, [id], { status: 'split', by, at });
  await tx.query(
    `insert into statement_rows (id, statement_id, position, bank, day, amount_minor, currency, text, name, number, refs,
       parent_id)
     select part.id, r.statement_id, r.position, r.bank, r.day, part.amount, r.currency, r.text, r.name, r.number, r.refs,
       r.id
     from statement_rows r, unnest($2::text[], $3::bigint[]) as part (id, amount) where r.id = $1`,
    [id, ids, amounts],
  );
  return ids;
}

/** @throws Problem `statement-row-taken` when a part was decided */
async function removeParts(tx: Transaction, id: string): Promise<void> {
  const { rows } = await tx.query<{ status: string }>(
    'select status from statement_rows where parent_id = $1 for update',
    [id],
  );
  if (rows.some(({ status }) => status !== 'open')) throw new Problem('statement-row-taken');
  await tx.query('delete from statement_rows where parent_id = $1', [id]);
}
