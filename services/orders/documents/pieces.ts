import anyAscii from 'any-ascii';
import type bidiFactory from 'bidi-js';
import { createRequire } from 'node:module';

/** A font as far as the order of text needs it. */
export interface Face {
  name: string;
  isRightToLeft: boolean;
  covers: (codePoint: number) => boolean;
}

/** A text of one font; `text` is in logical order, which the font turns where it is written from right to left. */
export interface Piece {
  font: string;
  text: string;
}

// Its types describe an ES module, and it is none in Node.
const bidi = (createRequire(import.meta.url)('bidi-js') as typeof bidiFactory.default)();
const clusters = new Intl.Segmenter('und', { granularity: 'grapheme' });
/** Joiners shape letters; every other invisible character has done its work, or does none on paper. */
const INVISIBLE = /(?![\u200c\u200d])\p{Default_Ignorable_Code_Point}/gu;
const PICTURE = /\p{Extended_Pictographic}|\p{Emoji_Presentation}/u;
/** For text in which nothing can be shown. */
const NOTHING = '–';

const faceOf = (cluster: string, faces: readonly Face[]): Face | undefined => {
  const codePoints = [...cluster].map((character) => character.codePointAt(0)!);
  return faces.find(({ covers }) => codePoints.every(covers));
};

const clustersOf = (text: string): string[] =>
  Array.from(clusters.segment(text.normalize('NFC')), ({ segment }) => segment);

/**
 * Replaces what no font has: Latin letters for other scripts, nothing for pictures beside letters, words for
 * pictures alone.
 */
export function showable(text: string, faces: readonly Face[]): string {
  const shownWith = (replace: (cluster: string) => string) =>
    clustersOf(text)
      .map((cluster) => (faceOf(visible(cluster), faces) ? cluster : replace(cluster)))
      .join('');
  const shown = shownWith((cluster) => (PICTURE.test(cluster) ? '' : anyAscii(cluster)));
  if (shown === text || shown.trim() !== '') return shown;
  return shownWith((cluster) => anyAscii(cluster).replaceAll(/[:_]+/g, ' ')).trim() || (text && NOTHING);
}

const visible = (cluster: string): string => cluster.replaceAll(INVISIBLE, '');

/** The direction of a paragraph is that of its first letter (Unicode Standard Annex 9, P2). */
export const directionOf = (text: string): 'ltr' | 'rtl' =>
  (bidi.getEmbeddingLevels(text, 'auto').paragraphs[0]?.level ?? 0) % 2 === 1 ? 'rtl' : 'ltr';

interface Run extends Piece {
  level: number;
  /** Letters in the direction of their font, which can be shaped together. */
  isShaped: boolean;
}

/** Splits a line of showable text into pieces of one font each, from left to right. */
export function piecesOf(
  line: string,
  faces: readonly Face[],
  direction: 'ltr' | 'rtl' = directionOf(line),
): Piece[] {
  const text = line.normalize('NFC');
  const { levels } = bidi.getEmbeddingLevels(text, direction);
  const runs: Run[] = [];
  for (const { segment, index } of clusters.segment(text)) {
    const cluster = visible(segment);
    if (cluster === '') continue;
    const face = faceOf(cluster, faces) ?? faces[0]!;
    const level = levels[index]!;
    const isReversed = level % 2 === 1;
    const isShaped = isReversed === face.isRightToLeft;
    const shown = isReversed ? (bidi.getMirroredCharacter(cluster) ?? cluster) : cluster;
    const last = runs.at(-1);
    if (last && last.font === face.name && last.level === level && last.isShaped && isShaped)
      last.text += shown;
    else runs.push({ font: face.name, text: shown, level, isShaped });
  }
  return inVisualOrder(runs).map(({ font, text: shown }) => ({ font, text: shown }));
}

/** Reverses runs from the highest level to the lowest odd one (Unicode Standard Annex 9, L2). */
function inVisualOrder(runs: readonly Run[]): Run[] {
  const ordered = [...runs];
  for (let level = Math.max(0, ...runs.map((run) => run.level)); level > 0; level--) {
    for (let from = 0; from < ordered.length; from++) {
      let to = from;
      while (to < ordered.length && ordered[to]!.level >= level) to++;
      if (to > from) ordered.splice(from, to - from, ...ordered.slice(from, to).toReversed());
      from = to;
    }
  }
  return ordered;
}
