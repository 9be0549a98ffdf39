import { randomBytes } from 'node:crypto';

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Letters and digits, as in Stripe's ids. */
export const randomText = (length: number): string =>
  [...randomBytes(length)].map((byte) => LETTERS[byte % LETTERS.length]).join('');

/** `newId('pi_3')` → pi_3 and 24 more letters. */
export const newId = (prefix: string, length = 24): string => prefix + randomText(length);
