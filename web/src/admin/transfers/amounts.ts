import { currencyDecimals, minorPerMajor } from '@arboleda/contracts/money.ts';

/**
 * What somebody typed as an amount, in minor units; undefined when it is none. Both ways of writing are understood,
 * "288,050.00" and "288.050,00": no currency has three decimals, so what three digits follow separates thousands.
 */
export function parseAmount(typed: string, currency: string): number | undefined {
  const text = typed.replace(/[\s\u00a0\u202f]/g, '').replace(/^(?:[A-Z]{3})?\$?/i, '');
  const match = /^(\d{1,3}(?:([.,'])\d{3})(?:\2\d{3})*|\d+)(?:([.,])(\d{1,2}))?$/.exec(text);
  if (!match) return undefined;
  const [, whole = '', thousands, decimals, fraction = ''] = match;
  if (decimals !== undefined && decimals === thousands) return undefined;
  if (fraction && currencyDecimals(currency) === 0 && Number(fraction) !== 0) return undefined;
  const minor = Number(whole.replace(/\D/g, '')) * minorPerMajor(currency);
  const cents = currencyDecimals(currency) === 0 ? 0 : Number(fraction.padEnd(2, '0'));
  const amount = minor + cents;
  return Number.isSafeInteger(amount) ? amount : undefined;
}

export type Verdict = { kind: 'same' } | { kind: 'less' | 'more'; byMinor: number };

/** What came in beside what was asked. */
export function compareAmounts(expectedMinor: number, receivedMinor: number): Verdict {
  if (expectedMinor === receivedMinor) return { kind: 'same' };
  return receivedMinor < expectedMinor
    ? { kind: 'less', byMinor: expectedMinor - receivedMinor }
    : { kind: 'more', byMinor: receivedMinor - expectedMinor };
}
