import { amountText } from '@arboleda/chassis/audit/audit.ts';
import type { Sql, Transaction } from '@arboleda/chassis/ports/sql.ts';
import type { Actor } from '@arboleda/contracts/fields.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { isGoingBack } from '../money/refund.ts';
import type { Refunds } from '../refunds/refunds.ts';
import { accountOf } from '../money/store.ts';
import { subjectNamed } from '../money/subject.ts';
import type { TransferStore } from '../transfers/store.ts';
import { withoutFirst } from '../transfers/transfer.ts';
import { debits, isProven, lockUndecided, type StoredDebit } from './debit-store.ts';
import { decide as decideRows, lockRows, reopen, type StatementRow } from './row-store.ts';
import { bankRowOf, type Debit, openReturns, type Returned, returnsOf, debitsWhere } from './returns.ts';
import { provenRefunds, refundsByHand } from './refund-proofs.ts';

/** Orders that one debit holds at most: those whose money came last before it. */
const MAX_HELD = 5;
const PRODUCT: Actor = { role: 'system' };

export interface DebitDecisions {
  /**
   * Recognizes refunds by hand among the open debits, then tells admins of each paid order whose money a debit may have
   * taken back, once, and has it held. After each import, and again by itself: approvals and refunds come later.
   */
  look(): Promise<void>;
  /**
   * A debit took a credit back: a paid order counts as refunded by this sum, an unpaid one waits for money again.
   * @throws Problem `not-found`, `statement-row-taken`, `refund-in-hand`
   */
  confirmReturn(asked: {
    debitId: string;
    rowId: string | undefined;
    orderId: string | undefined;
    by: Actor;
  }): Promise<void>;
  /** A debit is the money of a refund by hand. @throws Problem `not-found`, `statement-row-taken` */
  proveRefund(debitId: string, refundId: string, by: Actor): Promise<void>;
  /** A debit is none of an order's money. @throws Problem `not-found`, `statement-row-taken` */
  dismiss(debitId: string, by: Actor): Promise<void>;
}

export function debitDecisions(parts: {
  sql: Sql;
  transfers: Pick<TransferStore, 'decideIn' | 'lock'>;
  refunds: Pick<Refunds, 'noteSent'>;
  clock: () => Date;
}): DebitDecisions {
  const { sql, transfers, refunds, clock } = parts;

  async function recognizeRefunds(): Promise<void> {
    for (const { debitId, refundId } of await provenRefunds(sql))
      await sql.transaction(async (tx) => {
        const debit = await debits.lock(tx, debitId);
        if (debit?.status !== 'open' || (await isProven(tx, refundId))) return;
        await debits.put(tx, {
          ...debit,
          status: 'refund',
          decision: { refundId, by: PRODUCT, at: clock() },
        });
        await settle(tx, debitId, PRODUCT, []);
      });
  }

  async function suspect({ debit, candidates }: Returned): Promise<void> {
    const orders = candidates
      .flatMap(({ incoming }) => incoming.orders)
      .filter(({ status }) => status === 'approved')
      .slice(0, MAX_HELD);
    if (orders.length === 0) return;
    await sql.transaction(async (tx) => {
      if ((await debits.lock(tx, debit.id))?.status !== 'open') return;
      for (const { orderId } of orders) {
        const paymentId = await paymentOf(tx, orderId);
        const subject = paymentId === undefined ? undefined : await subjectNamed(tx, paymentId);
        if (!subject || isGoingBack(await accountOf(tx, subject))) continue;
        const at = clock();
        const { rowCount } = await tx.query(
          'insert into suspected_returns (debit_id, order_id, at) values ($1, $2, $3) on conflict do nothing',
          [debit.id, orderId, at],
        );
        if (rowCount === 0) continue;
        const { id: debitId, amountMinor, day } = debit;
        const currency = debit.currency as 'COP';
        const data = { orderId, paymentId: subject.id, debitId, amountMinor, currency, day };
        await tx.publish([{ type: 'payment.return_suspected', data: { ...data, at: at.toISOString() } }]);
      }
    });
  }

  /** Ends the suspicion of all orders that a debit holds. @param returned orders whose money went back */
  async function settle(tx: Transaction, debitId: string, by: Actor, returned: readonly string[]) {
    const at = clock();
    const { rows } = await tx.query<{ order_id: string }>(
      `update suspected_returns set settled_at = $2 where debit_id = $1 and settled_at is null returning order_id`,
      [debitId, at],
    );
    await tx.publish(
      rows.map(({ order_id: orderId }) => ({
        type: 'payment.return_settled',
        data: { orderId, debitId, wasReturned: returned.includes(orderId), by, at: at.toISOString() },
      })),
    );
  }

  /** Rows that a return takes back pay nothing any more, unless their order was approved. @returns approved orders */
  async function takeBack(tx: Transaction, rows: readonly StatementRow[], debit: StoredDebit, by: Actor) {
    const paid = new Map<string, number>();
    for (const row of rows) {
      if (row.status === 'split' || row.status === 'ignored') continue;
      const transfer = row.order_id === null ? undefined : await transfers.lock(tx, row.order_id);
      if (transfer?.state.status === 'approved') {
        paid.set(row.order_id!, (paid.get(row.order_id!) ?? 0) + Number(row.amount_minor));
        continue;
      }
      if (transfer)
        await transfers.decideIn(tx, row.order_id!, (current) => ({ decision: withoutFirst(current) }));
      if (row.order_id !== null) await reopen(tx, row.id);
      await decideRows(tx, [row.id], { status: 'ignored', reason: reasonOf(debit), by, at: clock() });
    }
    return paid;
  }

  return {
    async look() {
      await recognizeRefunds();
      for (const returned of await openReturns(sql)) if (returned.isStrong) await suspect(returned);
    },

    confirmReturn: ({ debitId, rowId, orderId, by }) =>
      sql.transaction(async (tx) => {
        const [debit] = await debitsWhere(tx, 'd.id = $1', [debitId]);
        const [found] = debit ? await returnsOf(tx, [debit]) : [];
        const chosen = found?.candidates.find(({ incoming }) =>
          rowId === undefined
            ? incoming.rowId === undefined && incoming.orders.some((one) => one.orderId === orderId)
            : incoming.rowId === rowId,
        );
        if (!chosen) throw new Problem('not-found');
        // Transfers first, then rows: as everywhere.
        for (const one of chosen.incoming.orders.map((order) => order.orderId).sort())
          await transfers.lock(tx, one);
        const rows = rowId === undefined ? [] : await lockRows(tx, await familyOf(tx, rowId));
        const stored = await lockUndecided(tx, debitId);
        const paid = await takeBack(tx, rows, stored, by);
        // Approved by hand: no row is linked to it.
        const byHand = chosen.incoming.orders.find(
          (one) => one.status === 'approved' && (orderId === undefined || one.orderId === orderId),
        );
        if (paid.size === 0 && byHand) paid.set(byHand.orderId, stored.amountMinor);
        let refundId: string | undefined;
        for (const [paidOrder, amountMinor] of paid) {
          const made = await refunds.noteSent(tx, (await paymentOf(tx, paidOrder))!, {
            amountMinor: Math.min(amountMinor, stored.amountMinor),
            reason: reasonOf(stored),
            by,
          });
          if (paid.size === 1) refundId = made?.refundId;
        }
        const [only] = paid.keys();
        await debits.put(tx, {
          ...stored,
          status: 'return',
          decision: { rowId, orderId: only ?? orderId, refundId, by, at: clock() },
        });
        await settle(tx, debitId, by, [...paid.keys()]);
        await tx.audit(audited(stored, 'return', only ?? orderId));
      }),

    proveRefund: (debitId, refundId, by) =>
      sql.transaction(async (tx) => {
        const stored = await lockUndecided(tx, debitId);
        const refund = (await refundsByHand(tx, [stored])).find((one) => one.refundId === refundId);
        if (!refund) throw new Problem('not-found');
        await debits.put(tx, { ...stored, status: 'refund', decision: { refundId, by, at: clock() } });
        await settle(tx, debitId, by, []);
        await tx.audit(audited(stored, 'refund', refund.orderId));
      }),

    dismiss: (debitId, by) =>
      sql.transaction(async (tx) => {
        const stored = await lockUndecided(tx, debitId);
        if (stored.status === 'other') return;
        await debits.put(tx, { ...stored, status: 'other', decision: { by, at: clock() } });
        await settle(tx, debitId, by, []);
        await tx.audit(audited(stored, 'other', undefined));
      }),
  };
}

async function paymentOf(tx: Transaction, orderId: string): Promise<string | undefined> {
  const { rows } = await tx.query<{ id: string }>('select id from transfers where order_id = $1', [orderId]);
  return rows[0]?.id;
}

/** A row of the bank and all of its parts. */
async function familyOf(tx: Transaction, rowId: string): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    'select id from statement_rows where id = $1 or left(id, length($1)) = $1',
    [bankRowOf(rowId)],
  );
  return rows.map(({ id }) => id);
}

/** In the language of the organisation; admins and the donor's history show it. */
const reasonOf = ({ day, number }: Pick<Debit, 'day' | 'number'>): string =>
  ['Devuelto por el banco', day, number].filter(Boolean).join(' · ');

const audited = (debit: StoredDebit, status: StoredDebit['status'], orderId: string | undefined) => ({
  object: { type: 'statement_row' as const, id: debit.id },
  ...(orderId !== undefined && { orderId }),
  before: { status: debit.status },
  after: { status, amount: amountText(debit.amountMinor, debit.currency) },
});
