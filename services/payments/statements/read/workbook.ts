import { Problem } from '@arboleda/contracts/problems.ts';
import { strFromU8, unzipSync, zipSync } from 'fflate';
import { readSheet } from 'read-excel-file/node';
import { type Cells, MAX_CELL, MAX_COLUMNS, MAX_LINES } from './cells.ts';

/** Decompressed size of all parts of a workbook. A year of a busy account takes about 15 MB. */
const MAX_UNPACKED_BYTES = 120_000_000;

/** Excel's last row. */
const LAST_ROW = 1_048_576;
/** Cells of the rectangle that a sheet fills, which the library makes whole. */
const MAX_CELLS = 3_000_000;

/**
 * The first sheet of a workbook. The library trusts the sizes that a file gives, so the file is unpacked within bounds
 * and handed over uncompressed.
 */
export async function xlsxCells(bytes: Uint8Array): Promise<Cells> {
  const parts = unpacked(bytes);
  const currencies = currenciesOfStyles(strFromU8(parts['xl/styles.xml'] ?? new Uint8Array()));
  const shown = new Set<string>();
  for (const [name, part] of Object.entries(parts))
    if (/\/worksheets\//.test(name))
      for (const style of stylesWithinBounds(strFromU8(part)))
        for (const currency of currencies[style] ?? []) shown.add(currency);
  const rows = await readSheet(Buffer.from(zipSync(parts, { level: 0 })), { parseNumber: numberText }).catch(
    (cause: unknown) => {
      throw new Problem('statement-unreadable', { cause });
    },
  );
  if (rows.length > MAX_LINES) throw new Problem('statement-too-many-rows');
  const filled = rows
    .map((row, at) => ({ row: row.slice(0, MAX_COLUMNS).map(cellText), line: at + 1 }))
    .filter(({ row }) => row.some((cell) => cell !== ''));
  return {
    rows: filled.map(({ row }) => row),
    lines: filled.map(({ line }) => line),
    currencies: [...shown],
    isFrom1904: /date1904="(1|true)"/.test(strFromU8(parts['xl/workbook.xml'] ?? new Uint8Array())),
  };
}

/**
 * A single cell at the end of a sheet makes the library fill all before it. Cells without content do not count.
 * @returns the styles of its cells
 */
function stylesWithinBounds(sheet: string): Set<number> {
  let [rows, columns] = [0, 0];
  const styles = new Set<number>();
  for (const [, row] of sheet.matchAll(/<row\b[^>]{0,500}?\sr=["'](\d+)["']/g))
    if (Number(row) > LAST_ROW) throw new Problem('statement-unreadable');
  for (const [, attributes = ''] of sheet.matchAll(/<c(\s[^>]{0,400})(?<!\/)>/g)) {
    const [, column = '', row] = /\sr=["']([A-Z]+)(\d+)["']/.exec(attributes) ?? [];
    rows = Math.max(rows, Number(row ?? 0));
    columns = Math.max(columns, numberOf(column));
    styles.add(Number(/\ss=["'](\d+)["']/.exec(attributes)?.[1] ?? 0));
  }
  if (rows > MAX_LINES) throw new Problem('statement-too-many-rows');
  if (columns > MAX_COLUMNS) throw new Problem('statement-too-wide');
  if (rows * columns > MAX_CELLS) throw new Problem('statement-too-many-rows');
  return styles;
}

/** Signs of currencies in the format of each style: [$€-C0A]#,##0.00, "US$"#,##0. */
function currenciesOfStyles(styles: string): string[][] {
  const formats = new Map(
    [...styles.matchAll(/<numFmt\s[^>]{0,400}>/g)].map(([tag]) => [
      /numFmtId="(\d+)"/.exec(tag)?.[1],
      (/formatCode="([^"]*)"/.exec(tag)?.[1] ?? '').replaceAll('&quot;', '"'),
    ]),
  );
  const cells = styles.split('<cellXfs')[1]?.split('</cellXfs>', 1)[0] ?? '';
  return [...cells.matchAll(/<xf\s[^>]{0,400}>/g)].map(([tag]) => {
    const format = formats.get(/numFmtId="(\d+)"/.exec(tag)?.[1]) ?? '';
    const signs = format.matchAll(/\[\$([^\]-]+)|"([^"]+)"|([€£¥])/g);
    return [...signs].map(([, currency, quoted, sign]) => (currency ?? quoted ?? sign)!.trim());
  });
}

/** "A" is 1, "XFD" is 16,384. */
const numberOf = (letters: string): number =>
  [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);

function unpacked(bytes: Uint8Array): Record<string, Uint8Array> {
  let total = 0;
  try {
    return unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        if (!/\.xml(\.rels)?$/.test(name)) return false;
        total += originalSize;
        if (total > MAX_UNPACKED_BYTES) throw new Error('unpacks to too much');
        return true;
      },
    });
  } catch (cause) {
    const isWhole = Buffer.from(bytes.subarray(-70_000)).includes('PK\x05\x06');
    throw new Problem(isWhole ? 'statement-unreadable' : 'statement-cut-off', { cause });
  }
}

/** A number as a workbook keeps it, in binary: 288050.30000000005 is 288050.30. */
function numberText(text: string): string {
  const value = Number(text);
  if (/^-?\d+$/.test(text) || !Number.isFinite(value)) return text;
  const rounded = value.toFixed(2);
  if (Math.abs(value - Number(rounded)) < 1e-6) return rounded;
  // 12.345 would be twelve thousand in a text.
  return /^-?\d+\.\d{3}$/.test(text) ? `${text}0` : text;
}

function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? '' : cell.toISOString().slice(0, 10);
  if (typeof cell === 'boolean') return '';
  return String(cell).slice(0, MAX_CELL).trim();
}
