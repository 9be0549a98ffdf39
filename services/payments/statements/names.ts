import { folded } from '@arboleda/contracts/search.ts';
import { NAME_DISTANCE } from '@arboleda/contracts/statement.ts';

/** Shorter names are in every text. */
const MIN_NAME = 6;

/** Some words, as they stand and in the order of the alphabet: banks write the family name first. */
interface Words {
  joined: string;
  sorted: string;
  /** One bit for each letter in it, to pass over most texts quickly. */
  letters: number;
}

export interface Name extends Words {
  count: number;
}

/** @returns undefined when it is too short to be sought */
export function nameOf(text: string): Name | undefined {
  const words = wordsOf(text);
  const name = { ...together(words), count: words.length };
  return name.joined.length < MIN_NAME ? undefined : name;
}

/** Finds names in texts, with at most two letters that differ. Texts are prepared once, for all names. */
export function nameFinder(texts: readonly (string | undefined)[]): (name: Name | undefined) => boolean {
  const all = texts.map((text) => wordsOf(text ?? ''));
  const byCount = new Map<number, Words[]>();
  const inRunsOf = (count: number): Words[] => {
    const known = byCount.get(count);
    if (known) return known;
    const runs = all.flatMap((words) =>
      words.map((_word, from) => together(words.slice(from, from + count))),
    );
    byCount.set(count, runs);
    return runs;
  };
  return (name) => name !== undefined && inRunsOf(name.count).some((run) => isAlike(run, name));
}

const wordsOf = (text: string): string[] =>
  folded(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

function together(words: readonly string[]): Words {
  const joined = words.join('');
  return { joined, sorted: [...words].sort().join(''), letters: lettersOf(joined) };
}

function lettersOf(text: string): number {
  let letters = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at) - 97;
    letters |= 1 << (code >= 0 && code < 26 ? code : 26);
  }
  return letters;
}

function isAlike(one: Words, other: Words): boolean {
  if (Math.abs(one.joined.length - other.joined.length) > NAME_DISTANCE) return false;
  // Changing one letter clears at most one bit and sets at most one.
  if (bitsIn(one.letters & ~other.letters) > NAME_DISTANCE) return false;
  if (bitsIn(other.letters & ~one.letters) > NAME_DISTANCE) return false;
  return isNear(one.joined, other.joined) || isNear(one.sorted, other.sorted);
}

function bitsIn(number: number): number {
  let bits = 0;
  for (let rest = number; rest !== 0; rest &= rest - 1) bits++;
  return bits;
}

/** Whether at most so many letters are changed, added or left out (Levenshtein's distance). */
function isNear(one: string, other: string, changes = NAME_DISTANCE, i = 0, j = 0): boolean {
  while (i < one.length && j < other.length && one[i] === other[j]) {
    i++;
    j++;
  }
  if (i === one.length || j === other.length) return one.length - i + (other.length - j) <= changes;
  return (
    changes > 0 &&
    (isNear(one, other, changes - 1, i + 1, j + 1) ||
      isNear(one, other, changes - 1, i + 1, j) ||
      isNear(one, other, changes - 1, i, j + 1))
  );
}
