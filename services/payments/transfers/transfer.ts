import type { EventData, NewEvent } from '@arboleda/contracts/events/index.ts';
import type { Actor } from '@arboleda/contracts/fields.ts';
import { minorPerMajor } from '@arboleda/contracts/money.ts';
import type { Bank } from '@arboleda/contracts/payment-method.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import type { Purchase } from '../payment.ts';

/**
 * A bank transfer that somebody says they made. Its files prove nothing by themselves: an admin looks for the money at
 * the bank and decides. It is kept apart from card payments (its own table, its own states), because nothing of an
 * intent, of Stripe's events or of the reconciler holds for it; the ids are of the same kind, and the events the same.
 */
export interface Transfer {
  purchase: Purchase;
  /** To whose account it was made. */
  bank: Bank;
  /** As the buyer typed it. */
  reference?: string | undefined;
  evidence: EvidenceFile[];
  /** ISO instant; from then on the files are not kept. */
  evidenceRemovedAt?: string | undefined;
  /** ISO instant. */
  submittedAt: string;
  state: TransferState;
  /** Counts the changes of the state. */
  revision: number;
}

export interface EvidenceFile {
  /** Of the copy that admins look at; random. */
  filename: string;
  originalName: string;
  /** Of the original: sniffed, not claimed. */
  contentType: string;
  sizeBytes: number;
  /** Of the original, hex. */
  sha256: string;
}

export interface Approval {
  by: Actor;
  at: string;
  /** What the bank says came in. */
  amountReceivedMinor?: number | undefined;
  note?: string | undefined;
}

export type TransferState =
  | { status: 'pending'; first?: Approval | undefined }
  | { status: 'approved'; approval: Approval; first?: Approval | undefined }
  | { status: 'rejected'; by: Actor; at: string; reason: string; first?: Approval | undefined };

/** From which amount on two admins are needed; nobody ever needs a second one when there is none. */
export interface ApprovalRule {
  secondAdminAboveUsd?: number | undefined;
}

/** `unchanged`: this admin decided so before. */
export type TransferDecision =
  { kind: 'changed'; state: TransferState; events: NewEvent[] } | { kind: 'unchanged' };

const UNCHANGED: TransferDecision = { kind: 'unchanged' };
const isSame = (one: Actor, other: Actor): boolean => one.role === other.role && one.id === other.id;

/** Whether the amount, at the rate it was quoted with, is above what one admin may approve. */
export function needsSecondAdmin({ purchase }: Transfer, { secondAdminAboveUsd }: ApprovalRule): boolean {
  if (secondAdminAboveUsd === undefined) return false;
  const { amountMinor, currency, quote } = purchase;
  return amountMinor / minorPerMajor(currency) / quote.rate > secondAdminAboveUsd;
}

/**
 * An admin found the money. Where two are needed, the first approval is only noted.
 * @throws Problem when somebody else decided before, or the same admin approves a second time for two.
 */
export function approve(transfer: Transfer, approval: Approval, rule: ApprovalRule): TransferDecision {
  const { state } = transfer;
  if (state.status === 'rejected') throw new Problem('transfer-already-rejected');
  if (state.status === 'approved') {
    if (isSame(state.approval.by, approval.by)) return UNCHANGED;
    throw new Problem('transfer-already-approved');
  }
  if (needsSecondAdmin(transfer, rule)) {
    if (!state.first) return { kind: 'changed', state: { status: 'pending', first: approval }, events: [] };
    if (isSame(state.first.by, approval.by)) throw new Problem('second-admin-required');
  }
  return {
    kind: 'changed',
    state: { status: 'approved', approval, first: state.first },
    events: [{ type: 'payment.succeeded', data: succeeded(transfer, approval) }],
  };
}

/** An admin did not find the money: final, the buyer sends it again. @throws Problem when somebody else decided before. */
export function reject(
  { state, purchase }: Transfer,
  { by, at, reason }: { by: Actor; at: string; reason: string },
): TransferDecision {
  if (state.status === 'approved') throw new Problem('transfer-already-approved');
  if (state.status === 'rejected') {
    if (isSame(state.by, by)) return UNCHANGED;
    throw new Problem('transfer-already-rejected');
  }
  const { orderId, paymentId } = purchase;
  return {
    kind: 'changed',
    state: { status: 'rejected', by, at, reason, ...(state.first && { first: state.first }) },
    events: [{ type: 'payment.rejected', data: { orderId, paymentId, reason, by, at } }],
  };
}

/** What the others hear of a transfer that was just sent. */
export const submitted = (transfer: Transfer): NewEvent => ({
  type: 'payment.submitted',
  data: {
    ...bought(transfer),
    evidenceFiles: transfer.evidence.map(({ filename, originalName, sizeBytes }) => ({
      filename,
      originalName,
      fileSize: sizeBytes,
    })),
    submittedAt: transfer.submittedAt,
  },
});

/** Counts as paid when the money was found, and as paid in full: an admin who approves less takes it as enough. */
const succeeded = (transfer: Transfer, { by, at }: Approval): EventData<'payment.succeeded'> => ({
  ...bought(transfer),
  transactionId: transfer.reference ?? transfer.purchase.paymentId,
  paidAt: at,
  approvedBy: by,
});

function bought({ purchase, bank, reference }: Transfer) {
  const { quote: _quote, locale: _locale, orderToken: _orderToken, ...asked } = purchase;
  return {
    ...asked,
    method: { kind: 'transfer' as const, bank },
    ...(reference !== undefined && { referenceNumber: reference }),
  };
}
