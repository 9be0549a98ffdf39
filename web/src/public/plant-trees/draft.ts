import type { PackageType } from '@arboleda/contracts/packages.ts';
import { CARD, type PaymentMethod } from '@arboleda/contracts/payment-method.ts';
import { useSyncExternalStore } from 'react';
import { DRAFT_KEY } from './kept-draft.ts';
import { DEFAULT_CUSTOM_TREES } from './selection.ts';
import type { Sending } from './transfer/send-transfer.ts';

/**
 * One try to pay for exactly this: kept from before the first request until the order is there, so that a reload
 * or a second click goes on with the same payment instead of starting another.
 */
export interface Attempt {
  /** Sent as Idempotency-Key. */
  key: string;
  /** What is paid for, by whom and for how much; another one is another attempt. */
  fingerprint: string;
  quote?: string | undefined;
  clientSecret?: string;
  orderToken?: string;
  /** The provider was asked to charge, and nobody knows yet what came of it. */
  isConfirming?: boolean;
}

/** What somebody has chosen and typed, kept for this tab. */
export interface Draft {
  /** Absent while no package is chosen and the checkout is closed. */
  packageType?: PackageType | undefined;
  customTrees: string;
  method: PaymentMethod;
  name: string;
  email: string;
  phone: string;
  /** The reference suggested for this order's transfer, and what the buyer made of it. */
  reference?: string | undefined;
  referenceNumber: string;
  /** Where the pictures of the transfer are kept, and how many they were. */
  evidence?: { key: string; count: number } | undefined;
  attempt?: Attempt | undefined;
  sending?: Sending | undefined;
}

const EMPTY: Draft = {
  customTrees: DEFAULT_CUSTOM_TREES,
  method: CARD,
  name: '',
  email: '',
  phone: '',
  referenceNumber: '',
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
    // Without storage a reload forgets what was typed; the idempotency key still keeps a double click harmless.
  }
  for (const listener of listeners) listener();
}

/** After paying: the next visit starts afresh. */
export const clearDraft = (): void =>
  changeDraft({
    packageType: undefined,
    customTrees: DEFAULT_CUSTOM_TREES,
    reference: undefined,
    referenceNumber: '',
    evidence: undefined,
    attempt: undefined,
    sending: undefined,
  });

/** Reads the store again, as a reload of the page does. */
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

/** The draft of this tab; empty in a prerendered page. */
export const useDraft = (): Draft => useSyncExternalStore(subscribe, currentDraft, () => EMPTY);
