import type { ReferenceOrigin, TransferFlag } from '@arboleda/contracts/endpoints/transfers.ts';
import type { EventData, NewEvent } from '@arboleda/contracts/events/index.ts';
import type { Actor } from '@arboleda/contracts/fields.ts';
import { minorPerMajor } from '@arboleda/contracts/money.ts';
import type { VerificationStatus } from '@arboleda/contracts/order.ts';
import { MAX_TREES } from '@arboleda/contracts/packages.ts';
import type { Bank } from '@arboleda/contracts/payment-method.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { randomInt } from 'node:crypto';
import { type Purchase, publishedOf } from '@arboleda/contracts/purchase.ts';

/**
 * A bank transfer that a buyer says they made. Evidence proves nothing by itself: an admin checks the bank
 * account and decides. Separate from card payments, as intents, webhooks and the reconciler do not apply; ids
 * and events are alike.
 */
export interface Transfer {
  purchase: Purchase;
  /** Trees that the buyer asked for, when others were paid. */
  treesAsked?: number | undefined;
  bank: Bank;
  /** Verbatim from the buyer. */
  reference?: string | undefined;
  evidence: EvidenceFile[];
  /** ISO instant when the files were deleted. */
  evidenceRemovedAt?: string | undefined;
  /** ISO instant. */
  submittedAt: string;
  state: TransferState;
  /** Incremented with each change of the state. */
  revision: number;
}

export interface EvidenceFile {
  /** Random name of the copy that admins look at. */
  filename: string;
  originalName: string;
  /** Type of the original, by its magic number. */
  contentType: string;
  sizeBytes: number;
  /** Hash of the original, hex. */
  sha256: string;
}

export interface Approval {
  by: Actor;
  at: string;
  amountReceivedMinor?: number | undefined;
  note?: string | undefined;
  /** Its rows on the bank's statement pay it. */
  onStatement?: true | undefined;
}

export type TransferState =
  | { status: 'pending'; first?: Approval | undefined }
  | { status: 'approved'; approval: Approval; first?: Approval | undefined }
  | { status: 'rejected'; by: Actor; at: string; reason: string; first?: Approval | undefined };

/** Above this amount two admins must approve; absent when one is always enough. */
export interface ApprovalRule {
  secondAdminAboveUsd?: number | undefined;
}

/** `unchanged`: this admin made the same decision before. */
export type TransferDecision =
  | { kind: 'changed'; state: TransferState; events: NewEvent[] }
  | { kind: 'unchanged' };

const UNCHANGED: TransferDecision = { kind: 'unchanged' };
export const isSame = (one: Actor, other: Actor): boolean => one.role === other.role && one.id === other.id;

/** Whether the amount, converted with the rate of its quote, needs two admins. */
export function needsSecondAdmin({ purchase }: Transfer, { secondAdminAboveUsd }: ApprovalRule): boolean {
  if (secondAdminAboveUsd === undefined) return false;
  const { amountMinor, currency, quote } = purchase;
  return amountMinor / minorPerMajor(currency) / quote.rate > secondAdminAboveUsd;
}

/**
 * Records that an admin found the money. Where two are needed, the first approval is only noted.
 * @throws Problem when another admin decided before, or the same admin approves twice
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

/** An admin who imported rows, and when. */
export interface Importer {
  by: Actor;
  at: string;
  /** Lost the right to approve since. */
  isVoid?: boolean;
}

/**
 * Approves what the bank's statement shows. The importer counts as one of two admins, unless the other one imported some
 * of the rows too, or an importer lost the right to approve: then nobody else has seen these.
 * @throws Problem as `approve`
 */
export function approveOnStatement(
  transfer: Transfer,
  approval: Approval,
  rule: ApprovalRule,
  importers: readonly Importer[],
): TransferDecision {
  const { state } = transfer;
  const isAlone = importers.some(({ by, isVoid }) => isVoid || isSame(by, approval.by));
  const importer = isAlone ? undefined : importers[0];
  const counted = { ...approval, onStatement: true as const };
  const isFirstTheirs = state.status === 'pending' && (!state.first || isSame(state.first.by, approval.by));
  if (!importer || !isFirstTheirs || !needsSecondAdmin(transfer, rule))
    return approve(transfer, counted, rule);
  const first: Approval = { by: importer.by, at: importer.at, onStatement: true };
  return approve({ ...transfer, state: { status: 'pending', first } }, counted, rule);
}

/**
 * The transfer with as many trees as were paid for, at the price of those that were asked.
 * @returns undefined when these are none, too many, or as many as before
 */
export function withTreesFor(transfer: Transfer, paidMinor: number): Transfer | undefined {
  const { purchase } = transfer;
  const trees = Math.floor((paidMinor * purchase.trees) / purchase.amountMinor);
  if (trees < 1 || trees > MAX_TREES || trees === purchase.trees) return undefined;
  return {
    ...transfer,
    treesAsked: purchase.trees,
    purchase: { ...purchase, trees, amountMinor: paidMinor, packageType: 'custom' },
  };
}

/** Takes back a first approval that rested on rows of a statement. */
export function withoutFirst({ state }: Transfer): TransferDecision {
  if (state.status !== 'pending' || !state.first?.onStatement) return UNCHANGED;
  return { kind: 'changed', state: { status: 'pending' }, events: [] };
}

/** Records that an admin did not find the money. Final. @throws Problem when another admin decided before */
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

/** The event payment.succeeded. It counts as paid in full: an admin who approves less accepts it as enough. */
const succeeded = (transfer: Transfer, { by, at }: Approval): EventData<'payment.succeeded'> => ({
  ...bought(transfer),
  transactionId: transfer.reference ?? transfer.purchase.paymentId,
  paidAt: at,
  approvedBy: by,
  ...(transfer.treesAsked !== undefined && { treesAsked: transfer.treesAsked }),
});

const bought = ({ purchase, bank, reference }: Transfer) => ({
  ...publishedOf(purchase),
  method: { kind: 'transfer' as const, bank },
  ...(reference !== undefined && { referenceNumber: reference }),
});

export interface OtherOrder {
  orderId: string;
  status: VerificationStatus;
}

/** Other transfers with the same file or reference, oldest first. */
export interface Resemblance {
  /** By file name. */
  files: Map<string, OtherOrder[]>;
  reference: OtherOrder[];
}

export interface Flag {
  type: TransferFlag;
  filename?: string;
  orders?: OtherOrder[];
}

/** Hints for an admin. A flag is no accusation: buyers send the same picture again after a rejection. */
export function flagsOf(transfer: Transfer, { files, reference }: Resemblance): Flag[] {
  const flags: Flag[] = transfer.evidence.flatMap(({ filename }) => {
    const orders = files.get(filename) ?? [];
    return orders.length > 0 ? [{ type: 'file-used-before', filename, orders }] : [];
  });
  if (reference.length > 0) flags.push({ type: 'reference-used-before', orders: reference });
  if (referenceOrigin(transfer.reference) === 'mistyped') flags.push({ type: 'reference-mistyped' });
  if (amountDiffers(transfer)) flags.push({ type: 'amount-differs' });
  return flags;
}

function amountDiffers({ state, purchase }: Transfer): boolean {
  const approval =
    state.status === 'pending' ? state.first : state.status === 'approved' ? state.approval : undefined;
  const received = approval?.amountReceivedMinor;
  return received !== undefined && received !== purchase.amountMinor;
}

/** No ambiguous characters (0 and O, 1, I and L, B and S). The checksum needs a prime number of them: 29. */
const ALPHABET = '23456789ACDEFGHJKMNPQRTUVWXYZ';
const PREFIX = 'ARB';
const RANDOM_LENGTH = 5;
/** Excludes "Arboleda 5", which people write themselves. */
const OURS = new RegExp(`^${PREFIX}(?!OLEDA)([0-9A-Z]{${RANDOM_LENGTH + 1}})$`);
/** Shorter ones ("1", "ok") are too common to compare. */
const MIN_COMPARED_LENGTH = 4;

/** A reference that is easy to type at a bank: "ARB-7K3Q9F". The last character is a checksum. */
export function makeReference(random: (below: number) => number = randomInt): string {
  const characters = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[random(ALPHABET.length)]!).join('');
  const check = [...ALPHABET].find((each) => isChecked(characters + each))!;
  return `${PREFIX}-${characters}${check}`;
}

/** Normalizes a reference for comparison; undefined when it is too short. */
export function referenceKey(reference: string | undefined): string | undefined {
  const key = reference
    ?.normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{Nd}]/gu, '');
  return key && key.length >= MIN_COMPARED_LENGTH ? key : undefined;
}

/** Whether a reference is ours, looks like ours but fails its checksum, or is something else. */
export function referenceOrigin(reference: string | undefined): ReferenceOrigin {
  if (reference === undefined) return 'none';
  const ours = OURS.exec(referenceKey(reference) ?? '');
  if (ours === null) return 'other';
  return isChecked(ours[1]!) ? 'ours' : 'mistyped';
}

/** Weighted by position, so that one wrong character and a swap of two are always detected. */
function isChecked(characters: string): boolean {
  const values = [...characters].map((each) => ALPHABET.indexOf(each));
  const sum = values.reduce((total, value, at) => total + value * (at + 1), 0);
  return !values.includes(-1) && sum % ALPHABET.length === 0;
}
