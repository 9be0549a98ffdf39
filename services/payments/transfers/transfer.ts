import type { TransferFlag } from '@arboleda/contracts/endpoints/transfers.ts';
import type { EventData, NewEvent } from '@arboleda/contracts/events/index.ts';
import type { Actor } from '@arboleda/contracts/fields.ts';
import { minorPerMajor } from '@arboleda/contracts/money.ts';
import type { VerificationStatus } from '@arboleda/contracts/order.ts';
import type { Bank } from '@arboleda/contracts/payment-method.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { randomInt } from 'node:crypto';
import type { Purchase } from '../cards/payment.ts';

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
  | { kind: 'changed'; state: TransferState; events: NewEvent[] }
  | { kind: 'unchanged' };

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

export interface OtherOrder {
  orderId: string;
  status: VerificationStatus;
}

/** What other transfers have in common with one, the oldest first. */
export interface Resemblance {
  /** By the file's name. */
  files: Map<string, OtherOrder[]>;
  reference: OtherOrder[];
}

export interface Flag {
  type: TransferFlag;
  filename?: string;
  orders?: OtherOrder[];
}

/** What an admin should look at. A flag accuses nobody: people send the same picture again after a rejection. */
export function flagsOf(transfer: Transfer, { files, reference }: Resemblance): Flag[] {
  const flags: Flag[] = transfer.evidence.flatMap(({ filename }) => {
    const orders = files.get(filename) ?? [];
    return orders.length > 0 ? [{ type: 'file-used-before', filename, orders }] : [];
  });
  if (reference.length > 0) flags.push({ type: 'reference-used-before', orders: reference });
  if (isMistyped(transfer.reference)) flags.push({ type: 'reference-mistyped' });
  if (amountDiffers(transfer)) flags.push({ type: 'amount-differs' });
  return flags;
}

function amountDiffers({ state, purchase }: Transfer): boolean {
  const approval =
    state.status === 'pending' ? state.first : state.status === 'approved' ? state.approval : undefined;
  const received = approval?.amountReceivedMinor;
  return received !== undefined && received !== purchase.amountMinor;
}

/** Nothing that is taken for another: no 0 and O, 1, I and L, B and S. 29 of them: the check needs a prime. */
const ALPHABET = '23456789ACDEFGHJKMNPQRTUVWXYZ';
const PREFIX = 'ARB';
const RANDOM_LENGTH = 5;
/** "Arboleda 5" is what people write by themselves. */
const OURS = new RegExp(`^${PREFIX}(?!OLEDA)([0-9A-Z]{${RANDOM_LENGTH + 1}})$`);
/** Shorter ones ("1", "ok") are no references: everybody has them. */
const MIN_COMPARED_LENGTH = 4;

/** A reference that is easy to type at a bank: "ARB-7K3Q9F", the last character a check of the others. */
export function makeReference(random: (below: number) => number = randomInt): string {
  const characters = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[random(ALPHABET.length)]!).join('');
  const check = [...ALPHABET].find((each) => isChecked(characters + each))!;
  return `${PREFIX}-${characters}${check}`;
}

/** How a reference is compared with others, however it was typed; undefined when it says too little to be compared. */
export function referenceKey(reference: string | undefined): string | undefined {
  const key = reference
    ?.normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{Nd}]/gu, '');
  return key && key.length >= MIN_COMPARED_LENGTH ? key : undefined;
}

/** Looks like one of ours, but was not typed as it was suggested. */
export function isMistyped(reference: string | undefined): boolean {
  const ours = OURS.exec(referenceKey(reference) ?? '');
  return ours !== null && !isChecked(ours[1]!);
}

/** Weighted by place, so that one wrong character and two that changed places are always noticed. */
function isChecked(characters: string): boolean {
  const values = [...characters].map((each) => ALPHABET.indexOf(each));
  const sum = values.reduce((total, value, at) => total + value * (at + 1), 0);
  return !values.includes(-1) && sum % ALPHABET.length === 0;
}
