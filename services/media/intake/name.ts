const MAX_NAME_LENGTH = 200;
/** Control characters, halves of characters, and what turns the direction of reading round. */
const HARMFUL = /[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** What the sender called a file, fit to be stored and shown; never to be used as a path. */
export function harmlessName(name: string): string {
  const last = name.split(/[/\\]/).at(-1)!;
  const clean = [...last.replaceAll(HARMFUL, '')].slice(0, MAX_NAME_LENGTH).join('').trim();
  return clean || 'photo';
}
