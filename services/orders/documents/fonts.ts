import { create } from 'fontkit';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import subset from 'subset-font';
import { type Face, type Piece, piecesOf, showable } from './pieces.ts';
import { unpackWoff } from './woff.ts';

export type Weight = 'regular' | 'strong';
const WEIGHTS = { regular: 400, strong: 600 } as const satisfies Record<Weight, number>;

/** Subsets by script, in the order they are tried: the site's own font, then other scripts, right to left or not. */
const SUBSETS = [
  ...['latin', 'latin-ext', 'vietnamese', 'greek', 'greek-ext', 'cyrillic', 'cyrillic-ext'].map((subset) => ({
    family: 'source-sans-3',
    subset,
    isRightToLeft: false,
  })),
  { family: 'noto-sans-arabic', subset: 'arabic', isRightToLeft: true },
  { family: 'noto-sans-hebrew', subset: 'hebrew', isRightToLeft: true },
  { family: 'noto-sans-thai', subset: 'thai', isRightToLeft: false },
  { family: 'noto-sans-devanagari', subset: 'devanagari', isRightToLeft: false },
] as const;

/**
 * Families of Chinese, Japanese and Korean in about a hundred slices each. Simplified Chinese has the traditional
 * and Japanese characters of names too.
 */
const SLICED = ['noto-sans-sc', 'noto-sans-kr'] as const;

interface FontFile {
  name: string;
  bytes: Buffer;
}

interface LoadedFace extends Face {
  file: FontFile;
}

interface Slice {
  file: string;
  covers: (codePoint: number) => boolean;
}

/** Fonts (all SIL Open Font License) of one document. */
export interface Fonts {
  /** To be registered with the document. */
  files: readonly FontFile[];
  /** For large Latin text. */
  headline: string;
  /** Replaces what no font has: Latin letters for other scripts, nothing for pictures beside letters. */
  showable(text: string, weight: Weight): string;
  /** Splits a line into pieces of one font each, from left to right. */
  piecesOf(line: string, weight: Weight, direction?: 'ltr' | 'rtl'): Piece[];
}

export interface FontLibrary {
  /** Adds the slices that the text needs to the fonts that every document gets. */
  fontsFor(text: string): Promise<Fonts>;
}

const HEADLINE = 'headline';
const { resolve } = createRequire(import.meta.url);

const unpacked = async (path: string): Promise<Buffer> => unpackWoff(await readFile(resolve(path)));

/** Reads the fonts that every document may need, once. */
export async function openFonts(): Promise<FontLibrary> {
  const [regular, strong, headline, slices] = await Promise.all([
    facesOf('regular'),
    facesOf('strong'),
    unpacked('@fontsource/ibarra-real-nova/files/ibarra-real-nova-latin-600-normal.woff'),
    Promise.all(SLICED.map(slicesOf)),
  ]);
  const all = slices.flat();
  const files = [...regular, ...strong].map(({ file }) => file);

  return {
    async fontsFor(text) {
      const characters = [...new Set(text.normalize('NFC'))].filter(
        (character) => !regular.some(({ covers }) => covers(character.codePointAt(0)!)),
      );
      const needed = all.filter(({ covers }) =>
        characters.some((character) => covers(character.codePointAt(0)!)),
      );
      const cut = (weight: Weight) =>
        Promise.all(needed.map((slice) => cutSlice(slice, characters.join(''), weight)));
      const more = { regular: await cut('regular'), strong: await cut('strong') };
      const faces = {
        regular: [...regular, ...more.regular],
        strong: [...strong, ...more.strong],
      };
      const cuts = [...more.regular, ...more.strong].map(({ file }) => file);
      return {
        files: [...files, { name: HEADLINE, bytes: headline }, ...cuts],
        headline: HEADLINE,
        showable: (given, weight) => showable(given, faces[weight]),
        piecesOf: (line, weight, direction) => piecesOf(line, faces[weight], direction),
      };
    },
  };
}

const facesOf = (weight: Weight): Promise<LoadedFace[]> =>
  Promise.all(
    SUBSETS.map(async ({ family, subset, isRightToLeft }) => {
      const path = `@fontsource/${family}/files/${family}-${subset}-${WEIGHTS[weight]}-normal.woff`;
      const bytes = await unpacked(path);
      return face({ name: `${weight} ${subset}`, bytes }, isRightToLeft);
    }),
  );

function face(file: FontFile, isRightToLeft: boolean): LoadedFace {
  const opened = create(file.bytes);
  if (!('characterSet' in opened)) throw new Error(`${file.name} is a collection of fonts`);
  // A slice may have none of the characters that its range announces.
  const glyphs = new Set(opened.numGlyphs > 1 ? opened.characterSet : []);
  return { name: file.name, file, isRightToLeft, covers: (codePoint) => glyphs.has(codePoint) };
}

async function slicesOf(family: (typeof SLICED)[number]): Promise<Slice[]> {
  const text = await readFile(resolve(`@fontsource-variable/${family}/unicode.json`), 'utf8');
  return Object.entries(JSON.parse(text) as Record<string, string>)
    .filter(([subset]) => subset.startsWith('['))
    .map(([subset, ranges]) => ({
      file: `@fontsource-variable/${family}/files/${family}-${subset.slice(1, -1)}-wght-normal.woff2`,
      covers: coverage(ranges),
    }));
}

/** The characters of a slice in one weight. fontkit cannot embed a variation of a variable font. */
async function cutSlice({ file }: Slice, characters: string, weight: Weight): Promise<LoadedFace> {
  const bytes = await subset(await readFile(resolve(file)), characters, {
    targetFormat: 'truetype',
    variationAxes: { wght: WEIGHTS[weight] },
  });
  return face({ name: `${weight} ${file}`, bytes }, false);
}

/** @param ranges in CSS notation: "U+0100-02BA,U+1E00" */
export function coverage(ranges: string): (codePoint: number) => boolean {
  const bounds = ranges
    .split(',')
    .filter((range) => range !== '')
    .map((range) => {
      const [from = '', to = from] = range.trim().replace('U+', '').split('-');
      return [Number.parseInt(from, 16), Number.parseInt(to, 16)] as const;
    });
  return (codePoint) => bounds.some(([from, to]) => codePoint >= from && codePoint <= to);
}
