import { Problem } from '@arboleda/contracts/problems.ts';
import { MAX_STATEMENT_ROWS } from '@arboleda/contracts/statement.ts';
import { parse } from 'csv-parse/sync';
import { unzipSync, zipSync } from 'fflate';
import iconv from 'iconv-lite';
import { readSheet } from 'read-excel-file/node';

/** The cells of a CSV or XLSX file, as text. */
export interface Cells {
  rows: string[][];
  encoding?: string;
  separator?: string;
  /** Decimal separator of all cells, where the format fixes it. */
  decimal?: '.';
}

/** Titles and totals come on top of the movements. */
const MAX_LINES = MAX_STATEMENT_ROWS + 1_000;
const MAX_COLUMNS = 200;
const MAX_CELL = 5_000;

/** Text by its byte order mark, as UTF-8, or as what Windows writes in Colombia. */
export function decoded(bytes: Uint8Array): { text: string; encoding: string } {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    return { text: iconv.decode(buffer, 'utf-16'), encoding: 'utf-16' };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'utf-8' };
  } catch {
    return { text: iconv.decode(buffer, 'windows-1252'), encoding: 'windows-1252' };
  }
}

const SEPARATORS = [';', '\t', ',', '|'];

/** @throws Problem `statement-cut-off`, `statement-too-many-rows`, `statement-unreadable` */
export function csvCells(text: string, encoding: string): Cells {
  if (text.includes('\0')) throw new Problem('statement-unreadable');
  const separator = separatorOf(text);
  const rows = parseCsv(text, separator);
  if (rows.length > MAX_LINES) throw new Problem('statement-too-many-rows');
  const [last, before] = [rows.at(-1), rows.at(-2)];
  // A whole file ends with a line break, or at least with all its columns.
  if (last && before && last.length < before.length && !/[\r\n]$/.test(text))
    throw new Problem('statement-cut-off');
  return { rows, encoding, separator };
}

function parseCsv(text: string, delimiter: string): string[][] {
  try {
    return parse(text, {
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      trim: true,
      max_record_size: MAX_COLUMNS * MAX_CELL,
      to: MAX_LINES + 1,
    }) as string[][];
  } catch (cause) {
    const isOpenQuote = /QUOTE_NOT_CLOSED|MAX_RECORD/.test((cause as { code?: string }).code ?? '');
    throw new Problem(isOpenQuote ? 'statement-cut-off' : 'statement-unreadable', { cause });
  }
}

/** The separator that gives the most lines the same number of columns, more than one. */
function separatorOf(text: string): string {
  const head = text
    .slice(0, 20_000)
    .split(/\r\n|\n|\r/)
    .slice(0, 60);
  const score = (separator: string) => {
    const counts = head
      .map((line) => line.replace(/"[^"]*"/g, '').split(separator).length)
      .filter((count) => count > 1);
    const alike = [...Map.groupBy(counts, (count) => count).values()].map((of) => of.length);
    const usual = Math.max(0, ...alike);
    return usual * 1000 + Math.max(0, ...counts);
  };
  return SEPARATORS.reduce((best, one) => (score(one) > score(best) ? one : best));
}

/** Decompressed size of all parts of a workbook. A year of a busy account takes about 15 MB. */
const MAX_UNPACKED_BYTES = 120_000_000;

/**
 * The first sheet of a workbook. The library trusts the sizes that a file gives, so the file is unpacked within bounds
 * and handed over uncompressed.
 */
export async function xlsxCells(bytes: Uint8Array): Promise<Cells> {
  const rows = await readSheet(Buffer.from(unpacked(bytes)), { parseNumber: numberText }).catch(
    (cause: unknown) => {
      throw new Problem('statement-unreadable', { cause });
    },
  );
  if (rows.length > MAX_LINES) throw new Problem('statement-too-many-rows');
  return {
    rows: rows
      .map((row) => row.slice(0, MAX_COLUMNS).map(cellText))
      .filter((row) => row.some((cell) => cell !== '')),
  };
}

function unpacked(bytes: Uint8Array): Uint8Array {
  let total = 0;
  try {
    const parts = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        if (!/\.xml(\.rels)?$/.test(name)) return false;
        total += originalSize;
        if (total > MAX_UNPACKED_BYTES) throw new Error('unpacks to too much');
        return true;
      },
    });
    return zipSync(parts, { level: 0 });
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
  return Math.abs(value - Number(rounded)) < 1e-6 ? rounded : text;
}

function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? '' : cell.toISOString().slice(0, 10);
  if (typeof cell === 'boolean') return '';
  return String(cell).slice(0, MAX_CELL).trim();
}
