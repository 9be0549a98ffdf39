import { ORGANISATION } from '@arboleda/contracts/organisation.ts';
import { drawEmblem } from './emblem.ts';
import type { FontLibrary } from './fonts.ts';
import { openPdf } from './pdf.ts';
import type { Fact, Receipt } from './receipt.ts';
import { openTypesetter, type Style } from './typesetter.ts';

/** Points; A4 is 595.28 × 841.89. */
const PAGE = { width: 595.28, height: 841.89, margin: 56 };
const INNER = PAGE.width - 2 * PAGE.margin;
const BOTTOM = PAGE.height - PAGE.margin - 30;

/** The site's colours, adapted to white paper. */
const COLOUR = { ink: '#16261D', quiet: '#505C53', line: '#DCD5C3', forest: '#123D2B', accent: '#F4B41A' };
const body: Style = { weight: 'regular', size: 10.5, colour: COLOUR.ink };
const strong: Style = { ...body, weight: 'strong' };
const label: Style = { ...body, size: 8.5, colour: COLOUR.quiet };
const sum: Style = { weight: 'strong', size: 13, colour: COLOUR.forest };

/** Columns of the items, from the left margin. */
const COLUMNS = {
  item: { x: 0, width: 216 },
  quantity: { x: 216, width: 57, align: 'right' as const },
  unit: { x: 278, width: 96, align: 'right' as const },
  amount: { x: 379, width: INNER - 379, align: 'right' as const },
};
const GUTTER = 24;

/** Renders a receipt as PDF: A4, with selectable text. The output is deterministic. */
export async function renderReceipt(receipt: Receipt, library: FontLibrary): Promise<Buffer> {
  const fonts = await library.fontsFor(JSON.stringify(receipt));
  const { title, language, organisation, issuedAt } = receipt;
  const { document, bytes } = openPdf(
    {
      title: `${title} ${receipt.head[0]![1]}`,
      author: organisation.legalName || ORGANISATION.name,
      at: issuedAt,
      language,
      size: 'A4',
    },
    fonts,
  );
  const type = openTypesetter(document, fonts);
  const left = PAGE.margin;
  let y = PAGE.margin;

  const rule = (colour = COLOUR.line, thickness = 0.75) => {
    document
      .moveTo(left, y)
      .lineTo(left + INNER, y)
      .lineWidth(thickness)
      .strokeColor(colour)
      .stroke();
  };
  /** Starts a new page when less than this is left. */
  const need = (height: number) => {
    if (y + height <= BOTTOM) return;
    document.addPage();
    y = PAGE.margin;
  };
  const writeIn = (
    column: { x: number; width: number; align?: 'left' | 'right' },
    text: string,
    style: Style,
  ) => type.write(text, { ...column, x: left + column.x, y }, style);

  const head = () => {
    drawEmblem(document, { x: left, y: y - 4, size: 44 }, COLOUR);
    const beside = { x: 60, width: INNER - 60 };
    const { legalName, taxId, address, contactEmail } = receipt.organisation;
    y += writeIn(beside, legalName || ORGANISATION.name, { ...strong, size: 13 }) + 2;
    for (const line of [taxId, address, contactEmail].filter(Boolean))
      y += writeIn(beside, line, { ...body, size: 9.5, colour: COLOUR.quiet });
    y = Math.max(y + 22, PAGE.margin + 78);
    document.font(fonts.headline).fontSize(40).fillColor(COLOUR.ink);
    document.text(receipt.title, left, y, { lineBreak: false });
    y += 66;
  };

  /** Rows of label and value; an empty label continues the row above. */
  const facts = (rows: readonly Fact[], column: { x: number; width: number }): number => {
    const start = y;
    rows.forEach(([name, value], at) => {
      if (name) y += writeIn(column, name, label) + 1;
      const isContinued = rows[at + 1]?.[0] === '';
      y += writeIn(column, value, body) + (isContinued ? 0 : 7);
    });
    const end = y;
    y = start;
    return end;
  };

  const parties = () => {
    rule(COLOUR.ink, 1);
    y += 14;
    const half = (INNER - GUTTER) / 2;
    y = Math.max(
      facts(receipt.payment, { x: 0, width: half }),
      facts(receipt.head, { x: half + GUTTER, width: half }),
    );
    y += 14;
  };

  const items = () => {
    const { columns } = receipt;
    for (const name of ['item', 'quantity', 'unit', 'amount'] as const)
      writeIn(COLUMNS[name], columns[name], label);
    y += 18;
    for (const item of receipt.items) {
      const textHeight = type.heightOf(item.text, COLUMNS.item.width, strong);
      const noteHeight = item.note ? type.heightOf(item.note, COLUMNS.item.width, label) + 1 : 0;
      need(textHeight + noteHeight + 22);
      rule();
      y += 10;
      writeIn(COLUMNS.item, item.text, strong);
      writeIn(COLUMNS.quantity, item.quantity, body);
      writeIn(COLUMNS.unit, item.unit, body);
      writeIn(COLUMNS.amount, item.amount, body);
      y += textHeight;
      if (item.note) writeIn(COLUMNS.item, item.note, label);
      y += noteHeight + 10;
    }
  };

  const amountRow = ([name, amount]: Fact, style: Style) => {
    need(style.size * 2);
    const named = writeIn({ x: 0, width: COLUMNS.unit.x }, name, style);
    const column = { x: COLUMNS.unit.x, width: INNER - COLUMNS.unit.x, align: 'right' } as const;
    y += Math.max(named, writeIn(column, amount, style)) + 6;
  };

  const sums = () => {
    need(40);
    rule(COLOUR.ink, 1);
    y += 12;
    for (const total of receipt.totals) amountRow(total, sum);
    if (!receipt.refunds) return;
    y += 14;
    need(70);
    writeIn({ x: 0, width: INNER }, receipt.refunds.title, strong);
    y += 20;
    for (const row of receipt.refunds.rows) amountRow(row, body);
    rule();
    y += 10;
    for (const left of receipt.refunds.left) amountRow(left, strong);
  };

  const closing = () => {
    y += 26;
    need(40);
    writeIn({ x: 0, width: INNER * 0.8 }, receipt.closing, { ...body, colour: COLOUR.quiet });
  };

  head();
  parties();
  items();
  sums();
  closing();
  document.end();
  return bytes;
}
