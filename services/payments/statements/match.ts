import { folded } from '@arboleda/contracts/search.ts';
import { MATCH_DAYS, type MatchReason, NAME_DISTANCE } from '@arboleda/contracts/statement.ts';
import { referenceOrigin } from '../transfers/transfer.ts';

/** A credit on a statement that nobody has decided. */
export interface OpenRow {
  id: string;
  day: string;
  amountMinor: number;
  currency: string;
  text: string;
  name?: string | undefined;
  /** Our references in its text: see referencesIn. */
  references: readonly string[];
}

/** A transfer as matching needs it. */
export interface Payable {
  orderId: string;
  status: 'pending' | 'approved' | 'rejected';
  amountMinor: number;
  currency: string;
  customerName: string;
  /** Normalized as by referenceKey; only ours counts. */
  reference?: string | undefined;
  /** Day of its submission in Colombia. */
  day: string;
  /** Sum of the rows linked to it. */
  paidMinor: number;
}

export interface Candidate {
  orderId: string;
  reasons: MatchReason[];
}

export interface Match {
  list: 'sure' | 'perhaps' | 'unknown' | 'without-order';
  /** The likeliest first. */
  candidates: Candidate[];
}

const MAX_CANDIDATES = 5;
const KEY_LENGTH = 'ARB7K3Q9F'.length;

/** Our references in a text: without their hyphen, in lower case, or inside other words. */
export function referencesIn(...texts: readonly (string | undefined)[]): string[] {
  const found = new Set<string>();
  for (const text of texts) {
    const bare = (text ?? '')
      .normalize('NFKC')
      .toUpperCase()
      .replace(/[^A-Z0-9]/g, '');
    for (let at = bare.indexOf('ARB'); at >= 0; at = bare.indexOf('ARB', at + 1)) {
      const key = bare.slice(at, at + KEY_LENGTH);
      if (referenceOrigin(key) === 'ours') found.add(key);
    }
  }
  return [...found];
}

/**
 * Sorts open rows into lists. The result depends on what there is, not on the order in which it came.
 *
 * Sure: our reference, exact sum and currency, a pending transfer on which nothing was paid, and neither a second transfer
 * nor a second row that could be meant. Perhaps: our reference with a difference, or the sum within some days and a
 * similar name. Without an order: our reference of rejected or fully paid transfers only.
 */
export function matchRows(rows: readonly OpenRow[], payables: readonly Payable[]): Map<string, Match> {
  const byReference = Map.groupBy(
    payables.filter(({ reference }) => reference !== undefined),
    ({ reference }) => reference!,
  );
  const bySum = Map.groupBy(
    payables.filter(({ status }) => status === 'pending'),
    sumOf,
  );
  const rowsOfReference = new Map<string, number>();
  for (const reference of rows.flatMap((row) => row.references))
    rowsOfReference.set(reference, (rowsOfReference.get(reference) ?? 0) + 1);

  return new Map(
    rows.map((row) => {
      const named = row.references.flatMap((reference) => byReference.get(reference) ?? []);
      const isOnlyRow = row.references.every((reference) => rowsOfReference.get(reference) === 1);
      if (named.length > 0) return [row.id, matchNamed(row, named, isOnlyRow)];
      return [row.id, matchUnnamed(row, bySum.get(sumOf(row)) ?? [])];
    }),
  );
}

const sumOf = ({ amountMinor, currency }: { amountMinor: number; currency: string }) =>
  `${currency} ${amountMinor}`;

/** A transfer that was approved by hand has no row yet. */
const isOpen = ({ status, paidMinor }: Payable): boolean =>
  status === 'pending' || (status === 'approved' && paidMinor === 0);

function matchNamed(row: OpenRow, named: readonly Payable[], isOnlyRow: boolean): Match {
  const open = named.filter(isOpen);
  if (open.length === 0)
    return {
      list: 'without-order',
      candidates: firstOf(named.map((one) => candidateOf(one, ['reference']))),
    };
  const isAlone = open.length === 1 && isOnlyRow;
  const candidates = open.map((one) => {
    const isExact = sumOf(one) === sumOf(row) && one.paidMinor === 0;
    return candidateOf(one, [
      'reference',
      isExact ? 'amount' : 'amount-differs',
      ...(one.status === 'approved' ? (['approved-before'] as const) : []),
      ...(isAlone ? [] : (['several-candidates'] as const)),
    ]);
  });
  const isSure = isAlone && candidates[0]!.reasons.length === 2 && candidates[0]!.reasons[1] === 'amount';
  return { list: isSure ? 'sure' : 'perhaps', candidates: firstOf(candidates) };
}

function matchUnnamed(row: OpenRow, sameSum: readonly Payable[]): Match {
  const alike = sameSum.filter(
    (one) =>
      one.paidMinor === 0 && daysBetween(row.day, one.day) <= MATCH_DAYS && isNamedIn(one.customerName, row),
  );
  if (alike.length === 0) return { list: 'unknown', candidates: [] };
  const more = alike.length > 1 ? (['several-candidates'] as const) : [];
  return {
    list: 'perhaps',
    candidates: firstOf(alike.map((one) => candidateOf(one, ['amount', 'name', ...more]))),
  };
}

const candidateOf = ({ orderId }: Payable, reasons: MatchReason[]): Candidate => ({ orderId, reasons });

/** The exact sum first; then by id, so that the same rows give the same answer. */
const firstOf = (candidates: readonly Candidate[]): Candidate[] =>
  [...candidates]
    .sort(
      (a, b) =>
        Number(b.reasons.includes('amount')) - Number(a.reasons.includes('amount')) ||
        a.orderId.localeCompare(b.orderId),
    )
    .slice(0, MAX_CANDIDATES);

const daysBetween = (one: string, other: string): number =>
  Math.abs(Date.parse(one) - Date.parse(other)) / 86_400_000;

/** Shorter names are in every text. */
const MIN_NAME = 6;

/** Whether a name is the payer's, or stands in the text, with at most two letters that differ. */
export function isNamedIn(name: string, { name: payer, text }: Pick<OpenRow, 'name' | 'text'>): boolean {
  const words = wordsOf(name);
  const sought = words.join('');
  if (sought.length < MIN_NAME) return false;
  const sorted = [...words].sort().join('');
  return [payer, text].some((one) => {
    const theirs = wordsOf(one ?? '');
    // Banks write the family name first, or leave a second name out.
    return theirs.some((_word, from) => {
      const window = theirs.slice(from, from + words.length);
      return (
        isNear(window.join(''), sought) || (window.length > 1 && isNear([...window].sort().join(''), sorted))
      );
    });
  });
}

const wordsOf = (text: string): string[] =>
  folded(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** Levenshtein's distance, up to NAME_DISTANCE. */
function isNear(one: string, other: string): boolean {
  if (one === other) return true;
  if (Math.abs(one.length - other.length) > NAME_DISTANCE) return false;
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const change = row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1));
    }
    if (Math.min(...next) > NAME_DISTANCE) return false;
    row = next;
  }
  return row.at(-1)! <= NAME_DISTANCE;
}
