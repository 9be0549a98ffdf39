import type { EditBase, EditValues } from './edit.ts';

/** What is typed into an order and not saved yet, and what it was typed over. */
export interface Draft {
  base: EditBase;
  typed: EditValues;
}

/**
 * By person and order, for as long as the page: a session that ends in the middle costs nobody their work, and nobody
 * else finds it.
 */
const drafts = new Map<string, Draft>();

export const draftOf = (key: string): Draft | undefined => drafts.get(key);
export const keepDraft = (key: string, draft: Draft): void => void drafts.set(key, draft);
export const forgetDraft = (key: string): void => void drafts.delete(key);
