import { fieldProblem } from '@arboleda/contracts/problems.ts';
import { COMMON_PASSWORDS } from './common-passwords.ts';

const RUNS = ['01234567890123456789', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiopasdfghjklzxcvbnm'];
const FEWEST_DIFFERENT_CHARACTERS = 4;

/**
 * Refuses passwords that attackers try first. The contract checks the length; there are no rules on kinds of
 * characters (NIST SP 800-63B section 3.1.1.2).
 * @param field the field of the request
 * @throws Problem `validation-failed` of the field
 */
export function requireUncommon(
  password: string,
  owner: { name: string; email: string },
  field = 'password',
): void {
  if (isTooEasy(password, owner)) throw fieldProblem(field, 'common-password');
}

export function isTooEasy(password: string, owner: { name: string; email: string }): boolean {
  const lower = password.toLowerCase();
  const letters = fold(password);
  return (
    COMMON_PASSWORDS.has(lower) ||
    new Set(lower).size < FEWEST_DIFFERENT_CHARACTERS ||
    RUNS.some((run) => run.includes(lower) || reversed(run).includes(lower)) ||
    [owner.email, owner.email.split('@')[0]!, owner.name].some((own) => isOwn(letters, fold(own)))
  );
}

/** Whether it is the person's name or address, possibly followed by a number. */
const isOwn = (password: string, own: string): boolean =>
  own !== '' && (password === own || password.replace(/\d+$/, '') === own);

/** Lower case letters and digits without accents: "Lucía Peña" becomes "luciapena". */
const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

const reversed = (text: string): string => [...text].reverse().join('');
