const INVISIBLE = /[\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/**
 * What was typed or pasted, without what nobody can see: a pasted direction mark would turn the rest of a line round,
 * and control characters cannot be stored.
 */
export const typedText = (typed: string): string =>
  typed.replace(INVISIBLE, (mark) => (/[\t\n\r]/.test(mark) ? ' ' : '')).trim();
