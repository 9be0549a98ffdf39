import { randomInt } from 'node:crypto';

/** Nothing that is taken for another: no 0 and O, 1, I and L, B and S. 29 of them: the check needs a prime. */
const ALPHABET = '23456789ACDEFGHJKMNPQRTUVWXYZ';
const PREFIX = 'ARB';
const RANDOM_LENGTH = 5;
/** "Arboleda 5" is what people write by themselves. */
const OURS = new RegExp(`^${PREFIX}(?!OLEDA)([0-9A-Z]{${RANDOM_LENGTH + 1}})$`);
/** Shorter ones ("1", "ok") are no references: everybody has them. */
const MIN_COMPARED_LENGTH = 4;

/** A reference that is easy to type at a bank: "ARB-7K3Q9F", the last character a check of the others. */
export function makeReference(random: (below: number) => number = randomInt): string {
  const characters = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[random(ALPHABET.length)]!).join('');
  const check = [...ALPHABET].find((each) => isChecked(characters + each))!;
  return `${PREFIX}-${characters}${check}`;
}

/** How a reference is compared with others, however it was typed; undefined when it says too little to be compared. */
export function referenceKey(reference: string | undefined): string | undefined {
  const key = reference
    ?.normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{Nd}]/gu, '');
  return key && key.length >= MIN_COMPARED_LENGTH ? key : undefined;
}

/** Looks like one of ours, but was not typed as it was suggested. */
export function isMistyped(reference: string | undefined): boolean {
  const ours = OURS.exec(referenceKey(reference) ?? '');
  return ours !== null && !isChecked(ours[1]!);
}

/** Weighted by place, so that one wrong character and two that changed places are always noticed. */
function isChecked(characters: string): boolean {
  const values = [...characters].map((each) => ALPHABET.indexOf(each));
  const sum = values.reduce((total, value, at) => total + value * (at + 1), 0);
  return !values.includes(-1) && sum % ALPHABET.length === 0;
}
