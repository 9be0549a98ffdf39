type Range = readonly [from: number, to: number];

/** Characters of English and Spanish, without those the typefaces lack. */
const TEXT: readonly Range[] = [
  [0x00, 0x7e],
  [0xa0, 0xa1],
  [0xa9, 0xa9],
  [0xab, 0xab],
  [0xad, 0xad],
  [0xb1, 0xb1],
  [0xb7, 0xb7],
  [0xbb, 0xbb],
  [0xbf, 0xbf],
  [0xc1, 0xc1],
  [0xc9, 0xc9],
  [0xcd, 0xcd],
  [0xd1, 0xd1],
  [0xd3, 0xd3],
  [0xda, 0xda],
  [0xdc, 0xdc],
  [0xe1, 0xe1],
  [0xe9, 0xe9],
  [0xed, 0xed],
  [0xf1, 0xf1],
  [0xf3, 0xf3],
  [0xfa, 0xfa],
  [0xfc, 0xfc],
  [0x200b, 0x200d],
  [0x2013, 0x2014],
  [0x2018, 0x2019],
  [0x201c, 0x201d],
  [0x2022, 0x2022],
  [0x2026, 0x2026],
  [0x2060, 0x2060],
  [0x2082, 0x2082],
  [0x2212, 0x2212],
];

/** Headlines contain no addresses or code, so "#$", "*", "<=>@", "[\\]^_`" and "{|}~" are omitted. */
const HEADLINE: readonly Range[] = [
  [0x00, 0x22],
  [0x25, 0x29],
  [0x2b, 0x3b],
  [0x3f, 0x3f],
  [0x41, 0x5a],
  [0x61, 0x7a],
  ...TEXT.slice(1),
];

const LAST = 0x2215;

/** Characters of a typeface loaded immediately, with the ranges for fonts.css. */
export interface FirstPart {
  characters: string;
  /** In `unicode-range` syntax. */
  range: string;
  /** The remaining characters of the typeface. */
  otherRange: string;
}

const hex = (point: number) => point.toString(16).toUpperCase();
const written = ([from, to]: Range) => (from === to ? `U+${hex(from)}` : `U+${hex(from)}-${hex(to)}`);

const firstPart = (ranges: readonly Range[]): FirstPart => ({
  characters: ranges
    .map(([from, to]) => String.fromCodePoint(...Array.from({ length: to - from + 1 }, (_, at) => from + at)))
    .join(''),
  range: ranges.map(written).join(', '),
  otherRange: [...ranges, [LAST + 1, LAST + 1] as const]
    .map(([from], at) => [at === 0 ? 0 : ranges[at - 1]![1] + 1, from - 1] as const)
    .filter(([from, to]) => from <= to)
    .map(written)
    .join(', '),
});

export const FIRST_TEXT = firstPart(TEXT);
export const FIRST_HEADLINE = firstPart(HEADLINE);
