/** The site's three trees (web/public/favicon.svg), on a square of 32 points. */
const STEMS = 'M1 28.5h30M8 27V15M16 27V9M25 27V16';
const FRONDS =
  'M16 9C14 4.5 10.5 4 8.5 5.5M16 9C18 4.5 21.5 4 23.5 5.5M16 9C15 4 13.5 2 11.5 1.5M16 9C17 4 18.5 2 20.5 1.5';

/** @param size points */
export function drawEmblem(
  document: PDFKit.PDFDocument,
  { x, y, size }: { x: number; y: number; size: number },
  colours: { ink: string; accent: string },
): void {
  document
    .save()
    .translate(x, y)
    .scale(size / 32)
    .lineCap('round')
    .strokeColor(colours.ink);
  document.lineWidth(2.4).path(STEMS).stroke();
  document.lineWidth(2).path(FRONDS).stroke();
  document.circle(7.5, 13, 6).fill(colours.ink);
  document.circle(25, 15, 5.5).fill(colours.accent);
  document.restore();
}
