import type { Fonts, Weight } from './fonts.ts';
import { directionOf, type Piece } from './pieces.ts';

/** The part of a pdfkit document that sets text. */
export interface Paper {
  font(name: string): Paper;
  fontSize(size: number): Paper;
  fillColor(colour: string): Paper;
  widthOfString(text: string): number;
  text(text: string, x: number, y: number, options: { lineBreak: false; baseline: 'alphabetic' }): Paper;
}

export interface Style {
  weight: Weight;
  /** Points. */
  size: number;
  colour: string;
}

/** Position of a text: `y` is the top of its first line. Points. */
export interface Place {
  x: number;
  y: number;
  width: number;
  align?: 'left' | 'right';
}

const LINE_HEIGHT = 1.35;
/** Distance from the top of a line to its baseline, as a multiple of the font size. */
const ASCENT = 1.02;

type Line = Piece[];

/** Sets text of any script in lines of a given width. */
export function openTypesetter(paper: Paper, fonts: Fonts) {
  const widthOf = (pieces: readonly Piece[], size: number): number =>
    pieces.reduce((sum, { font, text }) => sum + paper.font(font).fontSize(size).widthOfString(text), 0);

  const linesOf = (text: string, width: number, { weight, size }: Style): Line[] => {
    const shown = fonts.showable(text, weight);
    const direction = directionOf(shown);
    const piecesOf = (line: string) => fonts.piecesOf(line, weight, direction);
    return wrap(shown, (line) => widthOf(piecesOf(line), size) <= width).map(piecesOf);
  };

  return {
    /** @returns the height of the text in points */
    heightOf: (text: string, width: number, style: Style): number =>
      linesOf(text, width, style).length * style.size * LINE_HEIGHT,

    /** @returns the height used in points */
    write(text: string, { x, y, width, align = 'left' }: Place, style: Style): number {
      const lines = linesOf(text, width, style);
      lines.forEach((line, at) => {
        const baseline = y + at * style.size * LINE_HEIGHT + style.size * ASCENT;
        let left = align === 'right' ? x + width - widthOf(line, style.size) : x;
        for (const piece of line) {
          paper.font(piece.font).fontSize(style.size).fillColor(style.colour);
          paper.text(piece.text, left, baseline, { lineBreak: false, baseline: 'alphabetic' });
          left += paper.widthOfString(piece.text);
        }
      });
      return lines.length * style.size * LINE_HEIGHT;
    },
  };
}

export type Typesetter = ReturnType<typeof openTypesetter>;

/** Characters as people see them, with their marks. */
const clusters = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** Breaks between words, and within words longer than a line. */
export function wrap(text: string, fits: (line: string) => boolean): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/[ \t\n]+/)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (fits(longer)) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = '';
    for (const { segment } of clusters.segment(word)) {
      if (line !== '' && !fits(line + segment)) {
        lines.push(line);
        line = '';
      }
      line += segment;
    }
  }
  return [...lines, line];
}
