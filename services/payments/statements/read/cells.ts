import { Problem } from '@arboleda/contracts/problems.ts';
import { MAX_STATEMENT_ROWS } from '@arboleda/contracts/statement.ts';
import { parse } from 'csv-parse/sync';
import iconv from 'iconv-lite';

/** The cells of a CSV or XLSX file, as text. */
export interface Cells {
  rows: string[][];
  /** The file's line, from 1, of each row: empty ones are left out. */
  lines: number[];
  encoding?: string;
  separator?: string;
  /** Signs of currencies with which a workbook shows numbers: "€", "USD". */
  currencies?: string[];
  /** For a workbook whose days are counted from 1904. */
  isFrom1904?: boolean;
}

/** Titles and totals come on top of the movements. */
export const MAX_LINES = MAX_STATEMENT_ROWS + 1_000;
export const MAX_COLUMNS = 200;
export const MAX_CELL = 5_000;

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
  const { rows, lines } = parseCsv(text, separator);
  if (rows.length > MAX_LINES) throw new Problem('statement-too-many-rows');
  const [last, before] = [rows.at(-1), rows.at(-2)];
  // A whole file ends with a line break, or at least with all its columns.
  if (last && before && last.length < before.length && !/[\r\n]$/.test(text))
    throw new Problem('statement-cut-off');
  return { rows, lines, encoding, separator };
}

function parseCsv(text: string, delimiter: string): { rows: string[][]; lines: number[] } {
  const lines: number[] = [];
  try {
    const rows = parse(text, {
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      trim: true,
      max_record_size: MAX_COLUMNS * MAX_CELL,
      to: MAX_LINES + 1,
      on_record: (row: string[], { lines: line }) => {
        lines.push(line);
        return row.slice(0, MAX_COLUMNS).map((cell) => cell.slice(0, MAX_CELL));
      },
    }) as string[][];
    return { rows, lines };
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
