import { readAmount } from '../../i18n/typed-numbers.ts';

/**
 * Parses the received amount to minor units; undefined when invalid. Three digits after a single separator are
 * thousands in both languages; the expected amount beside it exposes a misreading.
 */
export const parseAmount = (typed: string, currency: string): number | undefined =>
  readAmount(typed, currency) as number | undefined;

export type Verdict = { kind: 'same' } | { kind: 'less' | 'more'; byMinor: number };

/** Compares the received with the expected amount. */
export function compareAmounts(expectedMinor: number, receivedMinor: number): Verdict {
  if (expectedMinor === receivedMinor) return { kind: 'same' };
  return receivedMinor < expectedMinor
    ? { kind: 'less', byMinor: expectedMinor - receivedMinor }
    : { kind: 'more', byMinor: receivedMinor - expectedMinor };
}
