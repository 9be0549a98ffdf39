import { readAmount } from '../../i18n/typed-numbers.ts';

/**
 * What somebody typed as the amount received, in minor units; undefined when it is none. Three digits after the only
 * sign are thousands here in every language: the amount stands beside what was expected, so a wrong reading shows.
 */
export const parseAmount = (typed: string, currency: string): number | undefined =>
  readAmount(typed, currency) as number | undefined;

export type Verdict = { kind: 'same' } | { kind: 'less' | 'more'; byMinor: number };

/** What came in beside what was asked. */
export function compareAmounts(expectedMinor: number, receivedMinor: number): Verdict {
  if (expectedMinor === receivedMinor) return { kind: 'same' };
  return receivedMinor < expectedMinor
    ? { kind: 'less', byMinor: expectedMinor - receivedMinor }
    : { kind: 'more', byMinor: receivedMinor - expectedMinor };
}
