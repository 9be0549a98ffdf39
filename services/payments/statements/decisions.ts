import { amountText, type Audited } from '@arboleda/chassis/audit/audit.ts';
import type { Sql, Transaction } from '@arboleda/chassis/ports/sql.ts';
import type { Actor } from '@arboleda/contracts/fields.ts';
import { minorPerMajor } from '@arboleda/contracts/money.ts';
import { Problem, type ProblemType } from '@arboleda/contracts/problems.ts';
import type { AmountChoice } from '@arboleda/contracts/statement.ts';
import { auditedTransfer, type TransferStore } from '../transfers/store.ts';
import {
  type ApprovalRule,
  needsSecondAdmin,
  type Transfer,
  type TransferDecision,
  withoutFirst,
} from '../transfers/transfer.ts';
import { approveLinked, decideLink, type LinkDecision } from './link.ts';
import type { StatementMatching } from './matching.ts';
import { bankRowOf, returnsByRow } from './returns.ts';
import {
  decide,
  linkedRows,
  lockAll,
  lockOpen,
  lockRows,
  lockToIgnore,
  ordersOf,
  removeParts,
  reopen,
  splitRow,
  type StatementRow,
} from './row-store.ts';

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
    const before = await linkedRows(tx, orderId);
    await requireKept(tx, [...before, ...rows]);
    let linked: LinkDecision | undefined;
    let previous: Transfer | undefined;
    const outcome = await transfers.decideIn(tx, orderId, (transfer) => {
      previous = transfer;
      linked = decideLink({
        transfer,
        linkedMinor: sumOf(before),
        rows: rows.map(toLink),
        choice,
        by,
        at: at.toISOString(),
        rule,
        importers: [...before, ...rows].map((row) => ({
          by: row.importer,
          at: row.imported_at.toISOString(),
          isVoid: row.is_importer_void,
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
    await tx.audit(
      auditedLink(
        previous!,
        outcome.transfer,
        rows.map(({ id }) => id),
        by,
      ),
    );
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

  /** Rows that pay the order already: an admin approves it, and nothing else changes. */
  async function decideLinked(
    tx: Transaction,
    orderId: string,
    rowIds: readonly string[],
    by: Actor,
  ): Promise<{ outcome: 'approved' | 'first-approved' | 'waiting'; decision: TransferDecision }> {
    const at = clock().toISOString();
    const rows = await linkedRows(tx, orderId);
    await requireKept(tx, rows);
    const linkedMinor = sumOf(rows);
    let before: Transfer | undefined;
    const decided = await transfers.decideIn(tx, orderId, (transfer) => {
      before = transfer;
      return { decision: approveLinked(transfer, { by, at, linkedMinor }, rule) };
    });
    const { transfer, decision } = decided!;
    if (decision.kind === 'changed') await tx.audit(auditedLink(before!, transfer, rowIds, by));
    return { outcome: outcomeOf(transfer), decision };
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
      const isLinked = row.order_id === orderId;
      if (!isLinked && row.status !== 'open') throw new Problem('statement-row-taken');
      if (!isLinked && !isSure) throw new Problem('statement-row-unsure');
      const linked = isLinked
        ? await decideLinked(tx, orderId, [rowId], by)
        : await linkIn(tx, { rows: [row], orderId, by });
      // Nobody chose yet what to do about its sum.
      if (linked.outcome === 'waiting' || linked.outcome === 'kept')
        throw new Problem('amount-choice-required');
      decision = linked.decision;
      return linked.outcome;
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
        const rows = await lockAll(tx, rowIds);
        if (rows.every((row) => row.order_id === orderId)) return decideLinked(tx, orderId, rowIds, by);
        return linkIn(tx, { rows: await lockOpen(tx, rowIds), orderId, choice, by });
      });
      decided(linked.decision);
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
        await tx.audit({
          ...auditedRow(row!, 'split'),
          after: { status: 'split', amounts: amounts.map((amount) => amountText(amount, row!.currency)) },
        });
      }),

    ignore: (rowIds, reason, by) =>
      sql.transaction(async (tx) => {
        const rows = await lockToIgnore(tx, rowIds);
        await decide(tx, idsOf(rows), { status: 'ignored', reason, by, at: clock() });
        await tx.audit(...rows.map((row) => ({ ...auditedRow(row, 'ignored'), withheld: ['reason'] })));
      }),

    keep: (rowIds, by) =>
      sql.transaction(async (tx) => {
        const rows = await lockOpen(tx, rowIds);
        await decide(tx, idsOf(rows), { status: 'kept', by, at: clock() });
        await tx.audit(...rows.map((row) => auditedRow(row, 'kept')));
      }),

    undo: (rowIds) =>
      sql.transaction(async (tx) => {
        const orders = new Map<string, Transfer>();
        for (const orderId of await ordersOf(tx, rowIds)) {
          const transfer = await transfers.lock(tx, orderId);
          if (transfer) orders.set(orderId, transfer);
        }
        const rows = await lockAll(tx, rowIds);
        for (const row of rows) await undoOne(tx, row, orders);
        await tx.audit(
          ...rows.filter(({ status }) => status !== 'open').map((row) => auditedRow(row, 'open')),
        );
      }),
  };

  async function undoOne(
    tx: Transaction,
    { id, status, order_id: orderId, decided_at: linkedAt }: StatementRow,
    orders: ReadonlyMap<string, Transfer>,
  ): Promise<void> {
    if (status === 'open') return;
    if (status === 'split') await removeParts(tx, id);
    if (orderId !== null) {
      const transfer = orders.get(orderId);
      // Linked since its order was looked up.
      if (!transfer) throw new Problem('statement-row-taken');
      if (isApprovedSince(transfer, linkedAt!)) throw new Problem('statement-row-approved');
      // An approval counts for all rows together, so it goes with any of them.
      await transfers.decideIn(tx, orderId, (current) => ({ decision: withoutFirst(current) }));
    }
    await reopen(tx, id);
  }
}

/** @throws Problem `statement-row-returned` when more than a sum says that a debit took the money of one back */
async function requireKept(tx: Transaction, rows: readonly StatementRow[]): Promise<void> {
  const returns = await returnsByRow(tx);
  const isReturned = rows.some(({ id }) => returns.get(bankRowOf(id))?.some(({ isStrong }) => isStrong));
  if (isReturned) throw new Problem('statement-row-returned');
}

/** Rows that pay an order, for the audit log; of the product where an admin's setting lets it approve alone. */
const auditedLink = (before: Transfer, after: Transfer, rowIds: readonly string[], by: Actor): Audited => {
  const audited = auditedTransfer(before, after);
  return {
    ...audited,
    after: { ...audited.after, statementRows: [...rowIds] },
    ...(by.role === 'system' && { by: { kind: 'system' }, action: 'statement.row_approved' }),
  };
};

const auditedRow = (row: StatementRow, status: StatementRow['status']): Audited => ({
  object: { type: 'statement_row', id: row.id },
  ...(row.order_id !== null && { orderId: row.order_id }),
  before: { status: row.status },
  after: { status },
});

/** Rows that were linked to an order after its approval can be taken back: nothing rests on them. */
const isApprovedSince = ({ state }: Transfer, linkedAt: Date): boolean =>
  state.status === 'approved' && Date.parse(state.approval.at) >= linkedAt.getTime();

const sumOf = (rows: readonly StatementRow[]): number =>
  rows.reduce((sum, row) => sum + Number(row.amount_minor), 0);

const idsOf = (rows: readonly StatementRow[]): string[] => rows.map(({ id }) => id);

function outcomeOf({ state }: Transfer): 'approved' | 'first-approved' | 'waiting' {
  if (state.status === 'approved') return 'approved';
  return state.status === 'pending' && state.first?.onStatement ? 'first-approved' : 'waiting';
}

const toLink = ({ id, amount_minor: amountMinor, currency }: StatementRow) => ({
  id,
  amountMinor: Number(amountMinor),
  currency,
});
