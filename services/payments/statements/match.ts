import { MATCH_DAYS, type MatchReason } from '@arboleda/contracts/statement.ts';
import { referenceOrigin } from '../transfers/transfer.ts';
import { type Name, nameFinder, nameOf } from './names.ts';

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
  /** A debit may have taken it back, or it takes a debit back. */
  isDoubtful?: boolean | undefined;
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
const DAY_MS = 86_400_000;
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
 * Sure: our reference, exact sum and currency, a pending transfer on which nothing was paid, neither a second transfer nor
 * a second row that could be meant, and no debit that may have taken it back. Perhaps: our reference with a difference, or the sum within some days and a
 * similar name. Without an order: our reference of rejected or fully paid transfers only.
 */
export function matchRows(rows: readonly OpenRow[], payables: readonly Payable[]): Map<string, Match> {
  const byReference = Map.groupBy(
    payables.filter(({ reference }) => reference !== undefined),
    ({ reference }) => reference!,
  );
  const bySum = Map.groupBy(
    payables
      .filter(({ status, paidMinor }) => status === 'pending' && paidMinor === 0)
      .map((one) => ({
        orderId: one.orderId,
        at: Date.parse(one.day),
        name: nameOf(one.customerName),
        amountMinor: one.amountMinor,
        currency: one.currency,
      })),
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
  const isSure =
    isAlone &&
    !row.isDoubtful &&
    candidates[0]!.reasons.length === 2 &&
    candidates[0]!.reasons[1] === 'amount';
  return { list: isSure ? 'sure' : 'perhaps', candidates: firstOf(candidates) };
}

function matchUnnamed(
  row: OpenRow,
  sameSum: readonly { orderId: string; at: number; name: Name | undefined }[],
): Match {
  const at = Date.parse(row.day);
  const isNamed = nameFinder([row.name, row.text]);
  const alike = sameSum.filter((one) => Math.abs(at - one.at) <= MATCH_DAYS * DAY_MS && isNamed(one.name));
  if (alike.length === 0) return { list: 'unknown', candidates: [] };
  const more = alike.length > 1 ? (['several-candidates'] as const) : [];
  return {
    list: 'perhaps',
    candidates: firstOf(alike.map((one) => candidateOf(one, ['amount', 'name', ...more]))),
  };
}

const candidateOf = ({ orderId }: Pick<Payable, 'orderId'>, reasons: MatchReason[]): Candidate => ({
  orderId,
  reasons,
});

/** The exact sum first; then by id, so that the same rows give the same answer. */
const firstOf = (candidates: readonly Candidate[]): Candidate[] =>
  [...candidates]
    .sort(
      (a, b) =>
        Number(b.reasons.includes('amount')) - Number(a.reasons.includes('amount')) ||
        a.orderId.localeCompare(b.orderId),
    )
    .slice(0, MAX_CANDIDATES);
