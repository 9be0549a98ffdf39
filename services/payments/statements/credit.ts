import { createHash } from 'node:crypto';
import { referencesIn } from './match.ts';
import type { Movement } from './read/movement.ts';

/** A credit or debit of a statement, as it is kept. */
export interface Credit {
  /** The same for the same row of the bank, in whatever file it comes. */
  id: string;
  day: string;
  /** Positive, of debits too. */
  amountMinor: number;
  currency: string;
  text: string;
  name?: string | undefined;
  number?: string | undefined;
  balanceMinor?: number | undefined;
  references: string[];
  isReversal?: true | undefined;
}

/** The credits and debits of a file. */
export const rowsOf = (account: string, movements: readonly Movement[], currency: string) => ({
  credits: creditsOf(account, movements, currency),
  debits: keptOf(
    account,
    movements.filter(({ amountMinor }) => amountMinor < 0),
    currency,
  ),
});

export const creditsOf = (account: string, movements: readonly Movement[], currency: string): Credit[] =>
  keptOf(
    account,
    movements.filter(({ amountMinor }) => amountMinor > 0),
    currency,
  );

/**
 * Rows are known by account, day, sum, text, and the bank's number or else the balance; rows alike
 * in all of them by their place among each other. So the same or an overlapping file adds nothing. A row with nothing but
 * day and sum is known in its own file only.
 */
function keptOf(account: string, movements: readonly Movement[], currency: string): Credit[] {
  const alike = new Map<string, number>();
  return movements.map((movement) => {
    const known = [
      digits(account),
      movement.day,
      movement.amountMinor,
      movement.currency ?? currency,
      movement.text,
      movement.name ?? '',
      movement.number ?? movement.balanceMinor ?? '',
      ...(movement.onlyIn ? [movement.onlyIn] : []),
    ];
    const key = JSON.stringify(known);
    const place = alike.get(key) ?? 0;
    alike.set(key, place + 1);
    return {
      id: hash(place === 0 ? key : `${key}${place}`),
      day: movement.day,
      amountMinor: Math.abs(movement.amountMinor),
      currency: movement.currency ?? currency,
      text: movement.text,
      name: movement.name,
      number: movement.number,
      balanceMinor: movement.balanceMinor,
      references: referencesIn(movement.text, movement.name, movement.number),
      ...(movement.isReversal && { isReversal: true as const }),
    };
  });
}

/** 132 bits, base64url. */
const hash = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22);

const digits = (account: string): string => account.replace(/[^\dA-Z]/gi, '').toUpperCase();

/** Fewer digits are the end of too many accounts. */
const MIN_DIGITS = 4;

/**
 * Whether a file's account is the configured one: as it is, in an IBAN, or with its first digits left out or hidden. A file
 * that hides all but a few digits is accepted if these agree, as banks do.
 */
export function isAccount(named: string, configured: string): boolean {
  const own = configured.replace(/\D/g, '');
  const theirs = digits(named);
  if (/[*x]/i.test(named)) return own.endsWith(/\d*$/.exec(theirs)![0]);
  if (own.replace(/^0+/, '') === theirs.replace(/^0+/, '')) return own !== '';
  return (
    (own.length >= MIN_DIGITS && theirs.endsWith(own)) ||
    (theirs.length >= MIN_DIGITS && own.endsWith(theirs))
  );
}
