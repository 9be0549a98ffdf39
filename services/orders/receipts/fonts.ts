import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { unpackWoff } from './woff.ts';

/** Subsets of Source Sans 3 by script, in the order they are tried. */
const PARTS = ['latin', 'latin-ext', 'vietnamese', 'greek', 'greek-ext', 'cyrillic', 'cyrillic-ext'] as const;

export type Weight = 'regular' | 'strong';
const WEIGHTS = { regular: 400, strong: 600 } as const satisfies Record<Weight, number>;

interface Part {
  name: string;
  covers: (codePoint: number) => boolean;
}

/** The site's own fonts (SIL Open Font License), read once. */
export interface Fonts {
  /** To be registered with each document. */
  files: readonly { name: string; bytes: Buffer }[];
  /** For large Latin text. */
  headline: string;
  /** Splits text into pieces of one font each; characters without a glyph become "?". */
  piecesOf(text: string, weight: Weight): Piece[];
}

export interface Piece {
  font: string;
  text: string;
}

const HEADLINE = 'headline';
const { resolve } = createRequire(import.meta.url);

const face = async (path: string): Promise<Buffer> => unpackWoff(await readFile(resolve(path)));

export async function openFonts(): Promise<Fonts> {
  const ranges = JSON.parse(
    await readFile(resolve('@fontsource/source-sans-3/unicode.json'), 'utf8'),
  ) as Record<string, string>;
  const faces = PARTS.flatMap((part) =>
    (['regular', 'strong'] as const).map((weight) => ({ part, weight, name: `${weight} ${part}` })),
  );
  const files = await Promise.all([
    ...faces.map(async ({ part, weight, name }) => ({
      name,
      bytes: await face(
        `@fontsource/source-sans-3/files/source-sans-3-${part}-${WEIGHTS[weight]}-normal.woff`,
      ),
    })),
    {
      name: HEADLINE,
      bytes: await face('@fontsource/ibarra-real-nova/files/ibarra-real-nova-latin-600-normal.woff'),
    },
  ]);
  const parts = (weight: Weight): Part[] =>
    faces
      .filter((one) => one.weight === weight)
      .map(({ part, name }) => ({ name, covers: coverage(ranges[part] ?? '') }));
  const byWeight = { regular: parts('regular'), strong: parts('strong') };
  return {
    files,
    headline: HEADLINE,
    piecesOf: (text, weight) => piecesOf(text, byWeight[weight]),
  };
}

function piecesOf(text: string, parts: readonly Part[]): Piece[] {
  const pieces: Piece[] = [];
  for (const character of text.normalize('NFC')) {
    const last = pieces.at(-1);
    const part = parts.find(({ covers }) => covers(character.codePointAt(0)!));
    const [font, shown] = part ? [part.name, character] : [parts[0]!.name, '?'];
    if (last?.font === font) last.text += shown;
    else pieces.push({ font, text: shown });
  }
  return pieces;
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
