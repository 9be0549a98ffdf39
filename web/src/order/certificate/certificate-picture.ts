import { offer } from '../../art/scenes.ts';

export interface PictureWords {
  title: string;
  trees: string;
  name: string | null;
  facts: readonly string[];
  code: string;
  check: string;
}

/** The size that messengers and networks show whole. */
const SIZE = { width: 1200, height: 630 };
const MARGIN = 72;
/** The drawing's own part, from the crown of its tree to the ground. */
const ART = { width: 375, from: 400 / 1880 };
const COLOURS = {
  paper: '#f8f5ec',
  forest: '#123d2b',
  ink: '#16261d',
  quiet: '#505c53',
  leaf: '#17573b',
  accent: '#f4b41a',
};
const SERIF = '"Ibarra Real Nova Variable", serif';
const SANS = '"Source Sans 3 Variable", sans-serif';

/** Draws a certificate for sharing: 1200 × 630 px, PNG. */
export async function drawCertificate(words: PictureWords): Promise<Blob> {
  const canvas = Object.assign(document.createElement('canvas'), SIZE);
  const pen = canvas.getContext('2d')!;
  const [art] = await Promise.all([loadArt(), loadFonts(words)]);
  const left = SIZE.width - ART.width;
  pen.fillStyle = COLOURS.paper;
  pen.fillRect(0, 0, SIZE.width, SIZE.height);
  const from = art.naturalHeight * ART.from;
  pen.drawImage(art, 0, from, art.naturalWidth, art.naturalHeight - from, left, 0, ART.width, SIZE.height);
  drawWords(pen, words, left - 2 * MARGIN);
  pen.strokeStyle = COLOURS.forest;
  pen.lineWidth = 16;
  pen.strokeRect(8, 8, SIZE.width - 16, SIZE.height - 16);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png'),
  );
}

async function loadArt(): Promise<HTMLImageElement> {
  const art = new Image();
  art.src = offer.src;
  await art.decode();
  return art;
}

/** Also the characters that the first screen does not need. */
const loadFonts = (words: PictureWords) =>
  Promise.all(
    [`500 60px ${SERIF}`, `italic 450 40px ${SERIF}`, `400 28px ${SANS}`, `600 32px ${SANS}`].map((font) =>
      document.fonts.load(font, JSON.stringify(words)).catch(() => []),
    ),
  );

function drawWords(pen: CanvasRenderingContext2D, words: PictureWords, width: number): void {
  pen.textBaseline = 'alphabetic';
  drawEmblem(pen);
  pen.fillStyle = COLOURS.forest;
  pen.font = `500 42px ${SERIF}`;
  pen.fillText('Arboleda', MARGIN + 58, 104);
  const line = (text: string, y: number, font: string, size: number, colour: string): number => {
    pen.fillStyle = colour;
    // The serif has wide spaces, which the style sheet narrows too.
    pen.wordSpacing = font.includes(SERIF) ? `${-0.06 * size}px` : '0px';
    const lines = wrapped(pen, text, { width, font, size });
    lines.forEach((one, at) => pen.fillText(one, MARGIN, y + at * size * 1.12));
    return y + lines.length * size * 1.12;
  };
  line(words.title, 164, `400 SIZEpx ${SANS}`, 26, COLOURS.quiet);
  let y = line(words.trees, 228, `500 SIZEpx ${SERIF}`, 60, COLOURS.ink);
  if (words.name) y = line(words.name, y - 4, `italic 450 SIZEpx ${SERIF}`, 40, COLOURS.leaf);
  for (const fact of words.facts.filter(Boolean)) {
    y = line(fact, y, `400 SIZEpx ${SANS}`, 26, COLOURS.ink) + 4;
  }
  line(words.code, SIZE.height - 90, `600 SIZEpx ${SANS}`, 34, COLOURS.forest);
  line(words.check, SIZE.height - 54, `400 SIZEpx ${SANS}`, 24, COLOURS.quiet);
}

const MOST_LINES = 2;

/** At most two lines: longer text is set smaller, and what still does not fit is cut. */
function wrapped(
  pen: CanvasRenderingContext2D,
  text: string,
  { width, font, size }: { width: number; font: string; size: number },
): string[] {
  for (let at = size; at >= size * 0.6; at -= 2) {
    pen.font = font.replace('SIZE', String(at));
    const lines = linesOf(pen, text, width);
    if (lines.length <= MOST_LINES && lines.every((line) => pen.measureText(line).width <= width))
      return lines;
  }
  const [first = '', ...rest] = linesOf(pen, text, width);
  return [first, rest.join(' ')].map((line) => cut(pen, line, width)).filter(Boolean);
}

function linesOf(pen: CanvasRenderingContext2D, text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = [lines.at(-1), word].filter(Boolean).join(' ');
    if (lines.length > 0 && pen.measureText(longer).width <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

function cut(pen: CanvasRenderingContext2D, line: string, width: number): string {
  const letters = [...line];
  while (letters.length > 1 && pen.measureText(`${letters.join('')}…`).width > width) letters.pop();
  return letters.length < [...line].length ? `${letters.join('')}…` : line;
}

/** The three trees of the logo, on a square of 32 units. */
function drawEmblem(pen: CanvasRenderingContext2D): void {
  pen.save();
  pen.translate(MARGIN, 64);
  pen.scale(1.4, 1.4);
  pen.lineCap = 'round';
  pen.strokeStyle = COLOURS.forest;
  pen.lineWidth = 2.4;
  pen.stroke(new Path2D('M1 28.5h30M8 27V15M16 27V9M25 27V16'));
  pen.lineWidth = 2;
  pen.stroke(
    new Path2D(
      'M16 9C14 4.5 10.5 4 8.5 5.5M16 9C18 4.5 21.5 4 23.5 5.5M16 9C15 4 13.5 2 11.5 1.5M16 9C17 4 18.5 2 20.5 1.5',
    ),
  );
  for (const [x, y, radius, colour] of [
    [7.5, 13, 6, COLOURS.forest],
    [25, 15, 5.5, COLOURS.accent],
  ] as const) {
    pen.fillStyle = colour;
    pen.beginPath();
    pen.arc(x, y, radius, 0, 2 * Math.PI);
    pen.fill();
  }
  pen.restore();
}
