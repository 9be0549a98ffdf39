import { certificatePath, PDF_KEYWORD } from '@arboleda/contracts/certificate-code.ts';
import type { Language } from '@arboleda/contracts/roles.ts';
import { dayOf } from '@arboleda/contracts/time-zone.ts';
import { drawEmblem } from '../../documents/emblem.ts';
import type { FontLibrary } from '../../documents/fonts.ts';
import { drawQr, openPdf } from '../../documents/pdf.ts';
import { openTypesetter, type Style } from '../../documents/typesetter.ts';
import type { Certificate, CertificateVersion } from '../versions.ts';
import { certificateWords } from './words.ts';

/** Points; A4, landscape. */
const PAGE = { width: 841.89, height: 595.28 };
const COLOUR = {
  ink: '#16261D',
  quiet: '#505C53',
  paper: '#FBF9F2',
  forest: '#123D2B',
  accent: '#F4B41A',
  pale: '#E7E3D2',
};
const TREES = { ink: COLOUR.forest, accent: COLOUR.accent };
/** Width of the frame, and of the paper between it and the gold line. */
const FRAME = { width: 22, gap: 9 };
const LEFT = 72;
const PICTURE = { x: 534, y: 72, width: 236, height: 332 };
const TEXT_WIDTH = PICTURE.x - LEFT - 36;
const GUTTER = 20;
/** Height of a row of two facts. */
const ROW = 41;
const FOOT = { y: 434, qr: 96 };

const label: Style = { weight: 'regular', size: 9.5, colour: COLOUR.quiet };
const value: Style = { weight: 'strong', size: 13, colour: COLOUR.ink };
const quiet: Style = { ...label, size: 10.5 };
/** Sizes of the name, the longest that fits on two lines wins. */
const NAME_SIZES = [30, 26, 22, 18, 15, 12.5];

export interface CertificatePage {
  certificate: Certificate;
  version: CertificateVersion;
  /** 1 for the first. */
  number: number;
  language: Language;
  siteUrl: string;
  /** Legal name. */
  issuer: string;
  /** JPEG. A drawing stands in its place when there is none. */
  photo?: Buffer | undefined;
}

/** Renders a certificate as tagged PDF: one page to frame, whose content is read in its order. */
export async function renderCertificate(page: CertificatePage, library: FontLibrary): Promise<Buffer> {
  const { certificate, version, number } = page;
  const { facts, code } = version;
  const words = certificateWords(page.language);
  const fonts = await library.fontsFor(JSON.stringify([certificate.name, facts, page.issuer]));
  const { document, bytes } = openPdf(
    {
      title: certificate.name === null ? words.title : `${words.title} – ${certificate.name}`,
      author: page.issuer,
      at: new Date(version.issuedAt),
      language: page.language,
      keywords: PDF_KEYWORD + code,
      size: 'A4',
      layout: 'landscape',
      tagged: true,
    },
    fonts,
  );
  const type = openTypesetter(document, fonts);
  const root = document.struct('Document');
  document.addStructure(root);

  const add = (kind: string, draw: () => void, options: { alt?: string } = {}) =>
    root.add(document.struct(kind, options, draw));
  const artwork = (draw: () => void) => {
    document.markContent('Artifact', { type: 'Layout' });
    draw();
    document.endMarkedContent();
  };
  let y = 0;
  const write = (kind: string, text: string, style: Style, at: { x: number; width: number }) => {
    const top = y;
    add(kind, () => void type.write(text, { ...at, y: top }, style));
    y += type.heightOf(text, at.width, style);
  };

  artwork(() => drawFrame(document));
  artwork(() => drawEmblem(document, { x: LEFT, y: 64, size: 50 }, TREES));

  add('H1', () => {
    document.font(fonts.headline).fontSize(44).fillColor(COLOUR.forest);
    document.text(words.title, LEFT, 122, { lineBreak: false });
  });
  y = certificate.name === null ? 206 : 186;
  const text = { x: LEFT, width: TEXT_WIDTH };
  if (certificate.name !== null) {
    const style = nameStyle(certificate.name, type);
    write('P', words.inTheName, quiet, text);
    y += 2;
    write('P', certificate.name, style, text);
    y += 8;
  }
  const size = certificate.name === null ? 21 : 17;
  write('P', words.planted(facts.trees), { weight: 'strong', size, colour: COLOUR.forest }, text);
  y += 12;

  const short = { width: (TEXT_WIDTH - GUTTER) / 2, height: 19 };
  const rows = [
    [words.plantedOn, words.day(facts.plantedOn)],
    [words.plantedBy, facts.plantedBy],
    [words.completedOn, facts.completedOn && words.day(facts.completedOn)],
    [
      words.growthUpdates,
      facts.lastGrowthUpdateOn && words.updates(facts.growthUpdates, words.day(facts.lastGrowthUpdateOn)),
    ],
  ].filter((row): row is [string, string] => Boolean(row[1]));
  for (let at = 0; at < rows.length; at += 2) {
    const top = y;
    rows.slice(at, at + 2).forEach(([name, said], column) => {
      const place = { x: LEFT + column * (short.width + GUTTER), width: short.width };
      y = top;
      write('P', name, label, place);
      write('P', said, fitting(said, type, short), place);
    });
    y = top + ROW;
  }
  if (facts.place !== undefined) {
    write('P', words.place, label, text);
    write('P', facts.place, fitting(facts.place, type, { width: TEXT_WIDTH, height: 46 }), text);
  }

  const { photo } = page;
  if (photo) add('Figure', () => drawPhoto(document, photo), { alt: words.photo });
  else artwork(() => drawTrees(document));

  const url = new URL(certificatePath(code), page.siteUrl).href;
  add('Figure', () => drawQr(document, url, { x: LEFT, y: FOOT.y, size: FOOT.qr }, COLOUR.ink), {
    alt: words.qr,
  });
  const beside = { x: LEFT + FOOT.qr + 22, width: PICTURE.x + PICTURE.width - LEFT - FOOT.qr - 22 };
  y = FOOT.y + 4;
  write('P', words.check, quiet, beside);
  write('P', url.replace(/^https?:\/\//, ''), { ...quiet, weight: 'strong', colour: COLOUR.ink }, beside);
  y += 6;
  write('P', `${words.code} ${code}`, { weight: 'strong', size: 17, colour: COLOUR.forest }, beside);
  y += 6;
  write('P', `${words.issued(number, words.day(dayOf(version.issuedAt)))} · ${page.issuer}`, quiet, beside);

  root.end();
  document.end();
  return bytes;
}

type Typesetter = ReturnType<typeof openTypesetter>;

const linesHigh = (type: Typesetter, text: string, width: number, style: Style): number =>
  Math.round(type.heightOf(text, width, style) / type.heightOf('A', width, style));

function nameStyle(name: string, type: Typesetter): Style {
  const styles = NAME_SIZES.map((size): Style => ({ weight: 'strong', size, colour: COLOUR.ink }));
  const fits = (lines: number) => styles.find((style) => linesHigh(type, name, TEXT_WIDTH, style) <= lines);
  const oneLine = fits(1);
  return oneLine && oneLine.size >= 18 ? oneLine : (fits(2) ?? styles.at(-1)!);
}

/** The largest size that fits: a place may have 500 characters. */
function fitting(
  text: string,
  type: Typesetter,
  { width, height }: { width: number; height: number },
): Style {
  const styles = [13, 11.5, 10, 9, 8, 7, 6].map((size): Style => ({ ...value, size }));
  return styles.find((style) => type.heightOf(text, width, style) <= height) ?? styles.at(-1)!;
}

function drawFrame(document: PDFKit.PDFDocument): void {
  const { width, gap } = FRAME;
  document.rect(0, 0, PAGE.width, PAGE.height).fill(COLOUR.forest);
  document.rect(width, width, PAGE.width - 2 * width, PAGE.height - 2 * width).fill(COLOUR.paper);
  const inner = width + gap;
  document
    .rect(inner, inner, PAGE.width - 2 * inner, PAGE.height - 2 * inner)
    .lineWidth(1.2)
    .stroke(COLOUR.accent);
}

function drawPhoto(document: PDFKit.PDFDocument, photo: Buffer): void {
  const { x, y, width, height } = PICTURE;
  document.save().roundedRect(x, y, width, height, 8).clip();
  document.image(photo, x, y, { cover: [width, height], align: 'center', valign: 'center' });
  document.restore();
}

function drawTrees(document: PDFKit.PDFDocument): void {
  const { x, y, width, height } = PICTURE;
  document.roundedRect(x, y, width, height, 8).fill(COLOUR.pale);
  drawEmblem(
    document,
    { x: x + 30, y: y + 56, size: width - 60 },
    { ink: COLOUR.forest, accent: COLOUR.accent },
  );
}
