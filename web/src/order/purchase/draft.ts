import { CUSTOM_DEFAULT_TREES, type PackageType } from '@arboleda/contracts/packages.ts';
import { CARD, DEFAULT_BANK, type PaymentMethod } from '@arboleda/contracts/payment-method.ts';
import { useSyncExternalStore } from 'react';
import type { TransferFields } from '../../api/create-transfer.ts';
import type { GiftForm } from '../gift/gift-form.ts';
import { type BuyerForm, NO_BUYER } from './buyer.ts';
import { DRAFT_KEY } from './draft-key.ts';

/** Content of one submission: fields, picture ids, and the amount shown to the buyer. */
export interface Submission {
  fields: TransferFields;
  pictures: readonly string[];
  amountMinor: number;
}

/**
 * One transfer being submitted, stored from before the first byte until the order exists. All attempts share one key,
 * so that at most one becomes an order.
 */
export interface PendingSubmission {
  /** Sent as Idempotency-Key. */
  key: string;
  /** Attempts without an answer, which may have arrived. */
  tries: readonly Submission[];
}

/**
 * One attempt to pay for a purchase. Stored from before the first request until the order exists, so that a reload or
 * second click continues the same payment.
 */
export interface Attempt {
  /** Sent as Idempotency-Key. */
  key: string;
  /** Identifies purchase, buyer and amount; a change starts another attempt. */
  fingerprint: string;
  quote?: string | undefined;
  clientSecret?: string;
  orderToken?: string;
  /** Stripe was asked to charge, and the result is unknown. */
  isConfirming?: boolean;
}

export interface Draft extends BuyerForm {
  /** Absent while no package is chosen and the checkout is closed. */
  packageType?: PackageType | undefined;
  customTrees: string;
  method: PaymentMethod;
  /** The trees are for someone else. */
  isGift?: boolean;
  /** Kept when the buyer changes their mind. */
  gift?: GiftForm | undefined;
  /** Suggested reference of the transfer; `referenceNumber` is the buyer's version of it. */
  reference?: string | undefined;
  /** Storage key and number of the evidence pictures. */
  evidence?: { key: string; count: number } | undefined;
  attempt?: Attempt | undefined;
  sending?: PendingSubmission | undefined;
}

const EMPTY: Draft = {
  customTrees: String(CUSTOM_DEFAULT_TREES),
  method: CARD,
  ...NO_BUYER,
};

const listeners = new Set<() => void>();
let draft: Draft | undefined;

export function currentDraft(): Draft {
  draft ??= { ...EMPTY, ...readKept() };
  return draft;
}

export function changeDraft(change: Partial<Draft>): void {
  draft = { ...currentDraft(), ...change };
  try {
    sessionStorage.setItem(DRAFT_KEY, JSON.stringify(draft));
  } catch {
    // Without storage a reload loses input; the idempotency key still protects against double clicks.
  }
  for (const listener of listeners) listener();
}

export const chooseTransfer = (): void => changeDraft({ method: { kind: 'transfer', bank: DEFAULT_BANK } });

/** Resets the purchase after payment. */
export const clearDraft = (): void =>
  changeDraft({
    packageType: undefined,
    customTrees: EMPTY.customTrees,
    reference: undefined,
    referenceNumber: '',
    isGift: false,
    gift: undefined,
    evidence: undefined,
    attempt: undefined,
    sending: undefined,
  });

export function reloadDraft(): void {
  draft = undefined;
}

function readKept(): Partial<Draft> {
  try {
    return (JSON.parse(sessionStorage.getItem(DRAFT_KEY) ?? '{}') ?? {}) as Partial<Draft>;
  } catch {
    return {};
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The draft of this tab; empty while prerendering. */
export const useDraft = (): Draft => useSyncExternalStore(subscribe, currentDraft, () => EMPTY);
