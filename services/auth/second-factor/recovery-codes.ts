import { randomInt } from 'node:crypto';

const COUNT = 10;
/** 16 of these give 80 bits. Excludes letters that look like digits. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';
const LENGTH = 16;

/** Ten codes such as "abcd-efgh-jkmn-pqrs". */
export const newRecoveryCodes = (): string[] => Array.from({ length: COUNT }, newRecoveryCode);

function newRecoveryCode(): string {
  const letters = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return letters.replace(/.{4}(?=.)/g, '$&-');
}

export const plainRecoveryCode = (code: string): string => code.toLowerCase().replace(/[\s-]/g, '');
