import type { Language } from '@arboleda/contracts/roles.ts';
import PDFDocument from 'pdfkit';
import encodeQR from 'qr';
import type { Fonts } from './fonts.ts';

/** Blank squares that scanners need around a QR code. */
const QUIET_ZONE = 4;

/**
 * Opens a PDF without margins, in our fonts. Its date is `at`, so that the output is deterministic.
 * @returns also the bytes, once the document has ended
 */
export function openPdf(
  {
    title,
    author,
    at,
    language,
    keywords,
    ...page
  }: {
    title: string;
    /** Legal name. */
    author: string;
    at: Date;
    language: Language;
    keywords?: string;
    size: 'A4' | 'A5';
    layout?: 'landscape';
    /** Tagged PDFs are read aloud in their order. */
    tagged?: true;
  },
  fonts: Fonts,
): { document: PDFKit.PDFDocument; bytes: Promise<Buffer> } {
  const document = new PDFDocument({
    ...page,
    ...(page.tagged && { pdfVersion: '1.7' }),
    margin: 0,
    lang: language,
    displayTitle: true,
    info: {
      Title: title,
      Author: author,
      Creator: 'Arboleda',
      Producer: 'Arboleda',
      ...(keywords !== undefined && { Keywords: keywords }),
      CreationDate: at,
      ModDate: at,
    },
  });
  for (const { name, bytes } of fonts.files) document.registerFont(name, bytes);
  return { document, bytes: collect(document) };
}

function collect(document: PDFKit.PDFDocument): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  document.on('end', () => resolve(Buffer.concat(chunks)));
  document.on('error', reject);
  return promise;
}

/** Draws a QR code on a white square. */
export function drawQr(
  document: PDFKit.PDFDocument,
  text: string,
  { x, y, size }: { x: number; y: number; size: number },
  ink: string,
): void {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_ZONE });
  const square = size / rows.length;
  document.roundedRect(x, y, size, size, 4).fill('#FFFFFF');
  rows.forEach((row, down) =>
    row.forEach((isDark, right) => {
      if (isDark) document.rect(x + right * square, y + down * square, square, square);
    }),
  );
  document.fill(ink);
}
