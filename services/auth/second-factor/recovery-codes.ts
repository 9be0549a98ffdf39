import { randomInt } from 'node:crypto';

const COUNT = 10;
/** 16 of these are 80 bits. Without letters that look like digits. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';
const LENGTH = 16;

/** "abcd-efgh-jkmn-pqrs", ten of them. */
export const newRecoveryCodes = (): string[] => Array.from({ length: COUNT }, newRecoveryCode);

function newRecoveryCode(): string {
  const letters = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return letters.replace(/.{4}(?=.)/g, '$&-');
}

/** As it is compared: however it was typed. */
export const plainRecoveryCode = (code: string): string => code.toLowerCase().replace(/[\s-]/g, '');
