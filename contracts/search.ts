/** Letters that Unicode does not take apart into a plain one and a mark. */
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
 * Text as people type it when they look for something: lower case, without accents, every kind of apostrophe and
 * dash the plain one. The SQL function `search_text` of payments and auth does the same.
 */
export const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[đðøłħıŋßæœþ]/gu, (letter) => PLAIN[letter]!)
    .replace(/[’‘ʼ`´]/gu, "'")
    .replace(/[‐‑‒–—−]/gu, '-');

/** Folded, and only its letters and digits: "dangelo" of "D’Angelo". */
export const bare = (text: string): string => folded(text).replace(/[^\p{L}\p{N}]+/gu, '');

/** Whether a text holds what somebody looks for. */
export function mentions(text: string, sought: string): boolean {
  const signless = bare(sought);
  return folded(text).includes(folded(sought).trim()) || (signless !== '' && bare(text).includes(signless));
}

/** Patterns for `like`, of which one must match a column made by `search_text`; null when nothing is sought. */
export function searchPatterns(sought: string | undefined): string[] | null {
  const wanted = folded(sought ?? '').trim();
  if (wanted === '') return null;
  const pattern = (text: string) => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
  return [...new Set([wanted, bare(wanted) || wanted])].map(pattern);
}
