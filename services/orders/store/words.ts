import { shortId } from '@arboleda/contracts/order.ts';
import type { Order } from '../order.ts';

/** Who types more than this of a word means all of it. */
const LONGEST_PREFIX = 32;

/** Lower case, without accents: as people type when they look for something. */
export const folded = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/**
 * What an order is found by: every beginning of its ids, of the customer's name and address, and of the references of
 * its payment. About 300 words at most.
 */
export function wordsOf(order: Order): string[] {
  const email = folded(order.customer.email);
  const [local = '', domain = ''] = email.split('@');
  const name = folded(order.customer.name).split(/\s+/);
  const written = [order.manualPayment?.referenceNumber, order.transactionId].flatMap((one) =>
    one === undefined ? [] : folded(one).split(/\s+/),
  );
  const words = [
    ...[order._id, shortId(order._id).toLowerCase(), email, local, domain],
    ...name.flatMap((word) => [word, ...word.split(/[^\p{L}\p{N}]+/u)]),
    ...written,
  ];
  return [...new Set(words.flatMap(beginnings))];
}

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
