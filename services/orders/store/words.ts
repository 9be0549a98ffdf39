import { shortId } from '@arboleda/contracts/order.ts';
import { bare, folded } from '@arboleda/contracts/search.ts';
import type { Order } from '../order.ts';

/** Who types more than this of a word means all of it. */
const LONGEST_PREFIX = 32;

/**
 * What an order is found by: every beginning of its ids, of the customer's name and address, and of the references of
 * its payment. About 300 words at most.
 */
export function wordsOf(order: Order): string[] {
  const email = folded(order.customer.email);
  const [local = '', domain = ''] = email.split('@');
  const written = [order.customer.name, order.manualPayment?.referenceNumber, order.transactionId];
  const words = [
    ...[order._id, shortId(order._id).toLowerCase(), email, local, domain],
    ...written.flatMap((text = '') => folded(text).split(/\s+/)).flatMap(spellings),
  ];
  return [...new Set(words.flatMap(beginnings))];
}

/** "d'angelo" is also looked for as "dangelo" and "angelo", "arb-7f3a" as "arb7f3a" and "7f3a". */
const spellings = (word: string): string[] => [word, bare(word), ...word.split(/[^\p{L}\p{N}]+/u)];

function beginnings(word: string): string[] {
  const letters = [...word];
  let prefix = '';
  const prefixes = letters.slice(0, LONGEST_PREFIX).map((letter) => (prefix += letter));
  return letters.length > LONGEST_PREFIX ? [...prefixes, word] : prefixes;
}

/** The words that somebody looks for, all of which an order must have. */
export const wordsSought = (text: string): string[] => [
  ...new Set(
    folded(text)
      .split(/[\s,;]+/)
      .map((word) => word.replace(/^#/, ''))
      .filter((word) => word !== ''),
  ),
];
