/** Letters that Unicode normalization does not decompose. */
const PLAIN: Record<string, string> = {
  đ: 'd',
  ð: 'd',
  ø: 'o',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  ŋ: 'n',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
};

/**
 * Normalizes search text: lower case, no accents, plain apostrophes and dashes. Must match the SQL function
 * `search_text` of payments and auth.
 */
export const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[đðøłħıŋßæœþ]/gu, (letter) => PLAIN[letter]!)
    .replace(/[’‘ʼ`´]/gu, "'")
    .replace(/[‐‑‒–—−]/gu, '-');

/** Folded letters and digits only: "dangelo" for "D’Angelo". */
export const bare = (text: string): string => folded(text).replace(/[^\p{L}\p{N}]+/gu, '');

/** Patterns for `like` on a column made by `search_text`, of which one must match; null for an empty search. */
export function searchPatterns(sought: string | undefined): string[] | null {
  const wanted = folded(sought ?? '').trim();
  if (wanted === '') return null;
  const pattern = (text: string) => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
  return [...new Set([wanted, bare(wanted) || wanted])].map(pattern);
}
