import type { Language } from '@arboleda/contracts/roles.ts';
import { stringify } from 'csv-stringify';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export type CsvCell = string | number | undefined;

/** Spreadsheets expect the separator of their language. */
const DELIMITER: Record<Language, string> = { en: ',', es: ';' };

/**
 * Streams rows as RFC 4180 in UTF-8 with a byte order mark. Ends with an error when a row cannot be read.
 * @param rows cells by the key of their column; texts of people go through `withoutFormula`
 */
export function openCsv(
  columns: readonly { key: string; header: string }[],
  rows: AsyncIterable<Record<string, CsvCell>>,
  language: Language,
): Readable {
  const csv = stringify({
    bom: true,
    header: true,
    delimiter: DELIMITER[language],
    columns: [...columns],
    cast: { number: (value) => (language === 'es' ? String(value).replace('.', ',') : String(value)) },
    record_delimiter: 'windows',
  });
  // The reader sees the failure: the pipeline destroys `csv` with the error.
  pipeline(Readable.from(rows), csv).catch(() => undefined);
  return csv;
}

/** Text that a spreadsheet would take for a formula gets an apostrophe. */
export const withoutFormula = (text: string): string =>
  /^[=+\-@\t\r＝＋－＠]/.test(text) ? `'${text}` : text;
