import { MAX_AMOUNT_MINOR } from '@arboleda/contracts/money.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import type { ColumnRole, DayOrder, StatementQuestion } from '@arboleda/contracts/statement.ts';
import type { Cells } from './cells.ts';
import { guessColumns, isComplete } from './columns.ts';
import {
  type ColumnChoice,
  currencyNamed,
  type Movement,
  plain,
  type Reading,
  type ReadOptions,
} from './movement.ts';
import { amountOf, dayOf, dayStyle, decimalStyle, isAmount, isDay } from './values.ts';

const SAMPLES = 3;
const SAMPLE_LENGTH = 80;
const OTHER_LINES = 5;

/**
 * Movements of a table. Lines without a day are titles and totals; a line with a day must have an amount.
 * @throws Problem `statement-mixed-decimals`, `statement-mixed-days`, `statement-row-unreadable`
 */
export function readTable(cells: Cells, options: ReadOptions): Omit<Reading, 'format'> {
  const { rows } = cells;
  const guess = guessColumns(rows);
  const width = Math.max(0, ...rows.map((row) => row.length));
  const titles = Array.from({ length: width }, (_, at) => plain(rows[guess.headerLine]?.[at] ?? '', 120));
  const header = guess.headerLine < 0 ? `${width} columns` : titles.join('|').toLowerCase();
  const layout = { ...options.layouts[header], ...options.layout };
  const columns = layout.columns ?? guess.columns;
  if (columns.some(({ column }) => column >= width))
    throw new Problem('validation-failed', { fields: [{ path: 'columns', type: 'invalid' }] });

  const body = rows.slice(guess.headerLine + 1);
  const dayColumn = columnOf(columns, 'day');
  const isMovement = (row: readonly string[]) => dayColumn !== undefined && isDay(row[dayColumn] ?? '');
  const moved = body.filter(isMovement);
  const questions: StatementQuestion[] =
    isComplete(columns) && (layout.columns || guess.headerLine >= 0) ? [] : ['columns'];

  const order = dayOrderOf(
    moved.map((row) => row[dayColumn!]!),
    layout.dayOrder,
  );
  if (order === undefined) questions.push('day-order');
  const decimal = decimalOf(moved, columns);
  const lineOf = new Map(rows.map((row, at) => [row, cells.lines[at]!]));
  const read = rowReader({ columns, order: order ?? 'dmy', decimal, currency: options.currency });
  return {
    ...(cells.encoding && { encoding: cells.encoding }),
    ...(cells.separator && { separator: cells.separator }),
    columns: titles.map((title, column) => ({
      column,
      title,
      ...roleAt(columns, column),
      samples: samplesOf(moved.length > 0 ? moved : body, column),
    })),
    header,
    decimal,
    ...(order && { dayOrder: order }),
    account: accountAbove(rows.slice(0, Math.max(guess.headerLine, 0))),
    movements: isComplete(columns) ? moved.flatMap((row) => read(row, lineOf.get(row)!)) : [],
    otherLines: [...rows.slice(0, Math.max(guess.headerLine, 0)), ...body.filter((row) => !isMovement(row))]
      .slice(0, OTHER_LINES)
      .map((row) => plain(row.filter(Boolean).join(' · '), 200)),
    questions,
  };
}

const columnOf = (columns: readonly ColumnChoice[], role: ColumnRole): number | undefined =>
  columns.find((one) => one.role === role)?.column;

const roleAt = (columns: readonly ColumnChoice[], column: number) => {
  const found = columns.find((one) => one.column === column);
  return found ? { role: found.role } : {};
};

const samplesOf = (rows: readonly (readonly string[])[], column: number): string[] =>
  rows
    .map((row) => plain(row[column] ?? '', SAMPLE_LENGTH))
    .filter(Boolean)
    .slice(0, SAMPLES);

/** @returns undefined when it has to be asked */
function dayOrderOf(days: readonly string[], said: DayOrder | undefined): DayOrder | undefined {
  const style = dayStyle(days);
  if (style === 'mixed') throw new Problem('statement-mixed-days');
  return style === 'open' ? (said === 'ymd' ? undefined : said) : style;
}

function decimalOf(rows: readonly (readonly string[])[], columns: readonly ColumnChoice[]): ',' | '.' {
  const money = columns.filter(({ role }) => ['amount', 'credit', 'debit', 'balance'].includes(role));
  const style = decimalStyle(rows.flatMap((row) => money.map(({ column }) => row[column] ?? '')));
  if (style === 'mixed') throw new Problem('statement-mixed-decimals');
  return style ?? '.';
}

/** An account's number in the lines above the titles. Days are none: "Cuenta de ahorros, 2026-03-01 a 2026-03-31". */
function accountAbove(rows: readonly (readonly string[])[]): string | undefined {
  const text = rows.map((row) => row.join(' ')).join('\n');
  return /(?:cuenta|account|iban)[^\d*\n]{0,40}(?!\d{1,4}[-.]\d{1,2}[-.]\d{2,4}\b)([\d*][\d* .-]{4,30}\d)/i
    .exec(text)?.[1]
    ?.trim();
}

function rowReader(how: {
  columns: readonly ColumnChoice[];
  order: DayOrder;
  decimal: ',' | '.';
  currency: string;
}): (row: readonly string[], line: number) => Movement[] {
  const { columns, order, decimal } = how;
  const at = Object.fromEntries(columns.map(({ role, column }) => [role, column])) as Partial<
    Record<ColumnRole, number>
  >;
  const texts = columns.filter(({ role }) => role === 'text').map(({ column }) => column);

  return (row, line) => {
    const cell = (role: ColumnRole) => (at[role] === undefined ? '' : (row[at[role]] ?? ''));
    const unreadable = (role: ColumnRole) =>
      new Problem('statement-row-unreadable', {
        fields: [{ path: `lines.${line}.${role}`, type: 'invalid' }],
      });
    const named = currencyNamed(cell('currency'));
    const currency = named ?? how.currency;
    if (cell('currency') !== '' && !named) throw unreadable('currency');
    const money = (role: ColumnRole): number | undefined => {
      const text = cell(role);
      if (text === '' || text === '-') return undefined;
      const amount = isAmount(text) ? amountOf(text, decimal, currency) : undefined;
      if (amount === undefined) throw unreadable(role);
      return amount;
    };
    const day = dayOf(cell('day'), order);
    if (!day) throw unreadable('day');
    // Banks write debits with or without a minus in a column of their own.
    const parts = [money('amount'), money('credit'), negative(money('debit'))].filter(
      (one) => one !== undefined,
    );
    const amountMinor = parts.reduce((sum, one) => sum + one, 0);
    if (parts.length === 0 || Math.abs(amountMinor) > MAX_AMOUNT_MINOR)
      throw unreadable(at.amount === undefined ? 'credit' : 'amount');
    if (amountMinor === 0) return [];
    return [
      {
        account: plain(cell('account'), 60) || undefined,
        day,
        amountMinor,
        currency,
        text: plain(
          texts
            .map((column) => row[column] ?? '')
            .filter(Boolean)
            .join(' '),
        ),
        name: plain(cell('name'), 120) || undefined,
        number: plain(cell('number'), 80) || undefined,
        balanceMinor: money('balance'),
      },
    ];
  };
}

const negative = (amount: number | undefined): number | undefined =>
  amount === undefined ? undefined : -Math.abs(amount);
