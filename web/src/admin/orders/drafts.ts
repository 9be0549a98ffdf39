import type { EditBase, EditValues } from './edit.ts';

/** Unsaved edit of an order and the values it started from. */
export interface Draft {
  base: EditBase;
  typed: EditValues;
}

/**
 * By person and order, for the lifetime of the page: a draft survives the end of a session, and nobody else sees it.
 */
const drafts = new Map<string, Draft>();

export const draftOf = (key: string): Draft | undefined => drafts.get(key);
export const keepDraft = (key: string, draft: Draft): void => void drafts.set(key, draft);
export const forgetDraft = (key: string): void => void drafts.delete(key);
