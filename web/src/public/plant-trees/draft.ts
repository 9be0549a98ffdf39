import type { PackageType } from '@arboleda/contracts/packages.ts';
import { useSyncExternalStore } from 'react';
import { DEFAULT_CUSTOM_TREES } from './selection.ts';

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
}

/** What somebody has chosen and typed, kept for this tab. */
export interface Draft {
  /** Absent while no package is chosen and the checkout is closed. */
  packageType?: PackageType | undefined;
  customTrees: string;
  name: string;
  email: string;
  attempt?: Attempt | undefined;
}

const KEY = 'arboleda.checkout';
const EMPTY: Draft = { customTrees: DEFAULT_CUSTOM_TREES, name: '', email: '' };

const listeners = new Set<() => void>();
let draft: Draft | undefined;

export function currentDraft(): Draft {
  draft ??= { ...EMPTY, ...readKept() };
  return draft;
}

export function changeDraft(change: Partial<Draft>): void {
  draft = { ...currentDraft(), ...change };
  try {
    sessionStorage.setItem(KEY, JSON.stringify(draft));
  } catch {
    // Without storage a reload forgets what was typed; the idempotency key still keeps a double click harmless.
  }
  for (const listener of listeners) listener();
}

/** After paying: the next visit starts afresh. */
export const clearDraft = (): void =>
  changeDraft({ packageType: undefined, customTrees: DEFAULT_CUSTOM_TREES, attempt: undefined });

/** Reads the store again, as a reload of the page does. */
export function reloadDraft(): void {
  draft = undefined;
}

function readKept(): Partial<Draft> {
  try {
    return (JSON.parse(sessionStorage.getItem(KEY) ?? '{}') ?? {}) as Partial<Draft>;
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
