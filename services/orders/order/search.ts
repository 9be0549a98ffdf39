import { shortId } from '@arboleda/contracts/order.ts';
import { bare, folded } from '@arboleda/contracts/search.ts';
import { type Order, regionOf, workerOf } from './order.ts';

/** Enough to sort names, and short enough for a cursor. */
const NAME_KEY_LENGTH = 40;
/** PostgreSQL's limit is 2,046 bytes; nobody types more than this. */
const LONGEST_WORD = 255;

const sortKey = (text: string): string => [...folded(text).trim()].slice(0, NAME_KEY_LENGTH).join('');

export const nameKeyOf = ({ customer }: Order): string => sortKey(customer.name);
/** Empty without a worker. */
export const workerKeyOf = (order: Order): string => sortKey(workerOf(order)?.name ?? '');
export const regionKeyOf = (order: Order): string => sortKey(regionOf(order) ?? '');
/** Matches the column of `regionKeyOf`. */
export const regionKey = sortKey;

/** Words by whose prefixes an order is found: its ids, the customer's name and address, payment references. */
export function wordsOf(order: Order): string[] {
  const email = folded(order.customer.email);
  const [local = '', domain = ''] = email.split('@');
  const written = [order.customer.name, order.manualPayment?.referenceNumber, order.transactionId];
  const words = [
    order.id,
    shortId(order.id).toLowerCase(),
    email,
    local,
    domain,
    ...written.flatMap((text = '') => folded(text).split(/\s+/)).flatMap(spellings),
  ];
  return kept(words);
}

/** "d'angelo" is also found as "dangelo" and "angelo", "arb-7f3a" as "arb7f3a" and "7f3a". */
const spellings = (word: string): string[] => [word, bare(word), ...word.split(/[^\p{L}\p{N}]+/u)];

/** The prefixes of a search; an order must match all. */
export const wordsSought = (text: string): string[] =>
  kept(
    folded(text)
      .split(/[\s,;]+/)
      .map((word) => word.replace(/^#/, '')),
  );

const kept = (words: readonly string[]): string[] => [
  ...new Set(words.filter(Boolean).map((word) => [...word].slice(0, LONGEST_WORD).join(''))),
];

/** In PostgreSQL's text format: https://www.postgresql.org/docs/current/datatype-textsearch.html */
export const tsvector = (words: readonly string[]): string => words.map(quoted).join(' ');
export const tsquery = (beginnings: readonly string[]): string =>
  beginnings.map((word) => `${quoted(word)}:*`).join(' & ');

const quoted = (word: string): string => `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
