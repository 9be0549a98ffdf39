import { Problem } from '@arboleda/contracts/problems.ts';
import { isAmount } from './amounts.ts';
import type { Cells } from './cells.ts';
import type { ColumnChoice } from './movement.ts';

type Row = readonly string[];

const lengthOf = (row: Row): number => row.findLastIndex((cell) => cell !== '') + 1;

/**
 * Cells move when an amount such as 288,050.00 is not quoted: what is left of it looks like an amount. So a row must have as
 * many cells as the titles, or as the other rows where there are none. Workbooks have no such lines.
 * @throws Problem `statement-row-length`
 */
export function refuseOddLengths(
  moved: readonly Row[],
  cells: Cells,
  titleLine: number,
  lineOf: (row: Row) => number,
): void {
  if (cells.separator === undefined) return;
  const titles = cells.rows[titleLine] ?? usual(moved);
  if (!titles) return;
  // A separator at the end of a line, or none for empty cells there, is a habit of some banks.
  const [most, least] = [titles.length, titleLine < 0 ? titles.length : lengthOf(titles)];
  const odd = moved.find((row) => lengthOf(row) > most || row.length < least);
  if (odd)
    throw new Problem('statement-row-length', {
      fields: [{ path: `lines.${lineOf(odd)}`, type: 'statement-row-length' }],
    });
}

function usual(rows: readonly Row[]): Row | undefined {
  const byLength = [...Map.groupBy(rows, (row) => row.length).values()];
  return byLength.sort((a, b) => b.length - a.length)[0]?.[0];
}

/** A row whose amount may be cut in two although its length is right: 288 | 500.00, or 288050 | 50. */
export function lineWithMovedCells(rows: readonly Row[], columns: readonly ColumnChoice[]): Row | undefined {
  const money = columns.filter(({ role }) => ['amount', 'credit', 'debit'].includes(role));
  const isMoney = (column: number) =>
    columns.some((one) => one.column === column && ['credit', 'debit', 'balance'].includes(one.role)) ||
    !columns.some((one) => one.column === column);
  return rows.find((row) =>
    money.some(({ column }) => {
      const [cell = '', next = ''] = [row[column], row[column + 1]];
      if (!isAmount(cell) || /\d[.,]/.test(cell)) return false;
      const isGroup = cell.replace(/\D/g, '').length <= 3;
      if (isGroup && /^\d{3}\.\d{1,2}\)?$/.test(next)) return true;
      return isMoney(column + 1) && /^\d{2,3}\)?$/.test(next);
    }),
  );
}
