/**
 * The code of a certificate, such as `K7QF-M2XD-9WBN`: eleven symbols of Crockford's base 32 (55 random bits) and one
 * check symbol.
 */
export type CertificateCode = string;

/** https://www.crockford.com/base32.html: without I, L, O and U. */
export const CODE_SYMBOLS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const RANDOM_SYMBOLS = 11;
const LENGTH = RANDOM_SYMBOLS + 1;
const GROUP = 4;
/** Longest text that may hold a code: with blanks and hyphens between all symbols. */
export const LONGEST_TYPED_CODE = 60;
/** Random bytes that a code is made of. */
export const CODE_BYTES = RANDOM_SYMBOLS;

/** Multiplies by x in GF(32), modulo x⁵ + x² + 1. */
const timesX = (value: number): number => ((value << 1) ^ (value & 16 ? 0b100101 : 0)) & 31;

/**
 * Sum of the symbols, the nth from the end multiplied by xⁿ. The factors differ, so every wrong symbol and every swap of
 * two neighbours changes the sum, which is 0 for a code.
 */
const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => timesX(sum) ^ value, 0);

const written = (values: readonly number[]): CertificateCode =>
  values.map((value, at) => (at > 0 && at % GROUP === 0 ? '-' : '') + CODE_SYMBOLS[value]!).join('');

/** @param random CODE_BYTES random bytes, of which five bits each are used */
export function certificateCode(random: Uint8Array): CertificateCode {
  if (random.length !== CODE_BYTES) throw new Error(`a code is made of ${CODE_BYTES} bytes`);
  const values = Array.from(random, (byte) => byte & 31);
  return written([...values, sumOf([...values, 0])]);
}

/** Letters that people read for another symbol. */
const MISREAD: Record<string, string> = { O: '0', I: '1', L: '1' };

/** Reads what a person typed: in any case, with or without hyphens and blanks, O for 0, I and L for 1. */
export function parseCertificateCode(typed: string): CertificateCode | 'mistyped' {
  const symbols = [...typed.toUpperCase().replace(/[\s\p{Pd}]/gu, '')];
  const values = symbols.map((symbol) => CODE_SYMBOLS.indexOf(MISREAD[symbol] ?? symbol));
  if (values.length !== LENGTH || values.includes(-1) || sumOf(values) !== 0) return 'mistyped';
  return written(values);
}

/** Precedes the code in the `Keywords` of a certificate's PDF. */
export const PDF_KEYWORD = 'arboleda-certificate:';
/** The page that shows whether a code is valid; QR codes and links lead there. */
export const certificatePath = (code: CertificateCode): string => `/c/${code}`;
