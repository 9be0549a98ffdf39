import type { Actor } from '@arboleda/contracts/fields.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import type { AmountChoice } from '@arboleda/contracts/statement.ts';
import {
  approve,
  type ApprovalRule,
  approveOnStatement,
  type Importer,
  isSame,
  type Transfer,
  type TransferDecision,
  withTreesFor,
} from '../transfers/transfer.ts';

export interface LinkedRow {
  id: string;
  amountMinor: number;
  currency: string;
}

export interface LinkRequest {
  transfer: Transfer;
  /** Sum of the rows that were linked to it before. */
  linkedMinor: number;
  /** Open rows. */
  rows: readonly LinkedRow[];
  choice?: AmountChoice | undefined;
  by: Actor;
  /** ISO instant. */
  at: string;
  rule: ApprovalRule;
  /** Admins who imported these rows or rows linked earlier. */
  importers: readonly Importer[];
}

export interface LinkDecision {
  outcome: 'approved' | 'first-approved' | 'waiting' | 'kept';
  link: string[];
  /** Rows that become money without an order. */
  keep: string[];
  /** A row of which only a part pays the order; the rest becomes money without an order. */
  split?: { id: string; linkMinor: number; keepMinor: number };
  /** Sum of all its rows afterwards. */
  receivedMinor: number;
  decision: TransferDecision;
  /** The transfer with other trees. */
  changed?: Transfer | undefined;
}

const UNCHANGED: TransferDecision = { kind: 'unchanged' };

/**
 * Lets rows pay an order. A sum other than the order's is never approved without a choice.
 * @throws Problem that says why not; then nothing changes
 */
export function decideLink(request: LinkRequest): LinkDecision {
  const { transfer, rows, choice } = request;
  const { state, purchase } = transfer;
  if (rows.some(({ currency }) => currency !== purchase.currency))
    throw new Problem('statement-other-currency');
  if (state.status === 'rejected') throw new Problem('transfer-already-rejected');
  const approved = state.status === 'approved' ? state.approval : undefined;
  const dueMinor = approved?.amountReceivedMinor ?? purchase.amountMinor;
  // An order that was approved by hand gets its rows, once.
  if (approved && (approved.onStatement || request.linkedMinor >= dueMinor))
    throw new Problem('transfer-already-approved');

  const receivedMinor = rows.reduce((sum, { amountMinor }) => sum + amountMinor, request.linkedMinor);
  const all = rows.map(({ id }) => id);
  const linked = (paid: Transfer = transfer): LinkDecision => ({
    ...approvalOf(request, paid, receivedMinor),
    link: all,
    keep: [],
    receivedMinor,
  });
  if (receivedMinor === dueMinor) return linked();
  if (!choice) throw new Problem('amount-choice-required');

  if (choice === 'change-trees') {
    const changed = approved ? undefined : withTreesFor(transfer, receivedMinor);
    if (!changed) throw new Problem('amount-choice-impossible');
    const decided = { ...linked(changed), changed };
    // The order would change before the second admin has seen it.
    if (decided.outcome !== 'approved') throw new Problem('second-admin-required');
    return decided;
  }
  if (receivedMinor < dueMinor) {
    const before = { receivedMinor: request.linkedMinor, decision: UNCHANGED };
    return choice === 'wait'
      ? { outcome: 'waiting', link: all, keep: [], receivedMinor, decision: UNCHANGED }
      : { outcome: 'kept', link: [], keep: all, ...before };
  }
  if (choice === 'wait') throw new Problem('amount-choice-impossible');
  return withRestKept(request, receivedMinor, dueMinor);
}

/**
 * An approval of an order to which its rows are linked: the second one, or a first one in place of one that became void.
 * Unchanged for the admin who gave the first, and for orders that are approved or wait for the rest.
 * @param linkedMinor sum of its rows
 */
export function approveLinked(
  transfer: Transfer,
  { by, at, linkedMinor }: { by: Actor; at: string; linkedMinor: number },
  rule: ApprovalRule,
): TransferDecision {
  const { state, purchase } = transfer;
  if (state.status === 'rejected') throw new Problem('transfer-already-rejected');
  if (state.status === 'approved') return UNCHANGED;
  const isPaid = !state.first && linkedMinor === purchase.amountMinor;
  const isSecond = state.first?.onStatement && !isSame(state.first.by, by);
  if (!isPaid && !isSecond) return UNCHANGED;
  const amountReceivedMinor = state.first?.amountReceivedMinor ?? linkedMinor;
  return approve(transfer, { by, at, amountReceivedMinor, onStatement: true }, rule);
}

/** More came than was asked: the largest row pays the order in part. */
function withRestKept(request: LinkRequest, receivedMinor: number, dueMinor: number): LinkDecision {
  const restMinor = receivedMinor - dueMinor;
  const largest = request.rows.reduce((one, other) => (other.amountMinor > one.amountMinor ? other : one));
  // One of the rows is not needed at all.
  if (restMinor >= largest.amountMinor) throw new Problem('amount-choice-impossible');
  return {
    ...approvalOf(request, request.transfer, dueMinor),
    link: request.rows.filter((row) => row !== largest).map(({ id }) => id),
    keep: [],
    split: { id: largest.id, linkMinor: largest.amountMinor - restMinor, keepMinor: restMinor },
    receivedMinor: dueMinor,
  };
}

function approvalOf(
  { by, at, rule, importers }: LinkRequest,
  paid: Transfer,
  amountReceivedMinor: number,
): Pick<LinkDecision, 'outcome' | 'decision'> {
  if (paid.state.status === 'approved') return { outcome: 'approved', decision: UNCHANGED };
  const decision = approveOnStatement(paid, { by, at, amountReceivedMinor }, rule, importers);
  const isApproved = decision.kind === 'changed' && decision.state.status === 'approved';
  return { outcome: isApproved ? 'approved' : 'first-approved', decision };
}
