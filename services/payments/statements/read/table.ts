import { Problem } from '@arboleda/contracts/problems.ts';
import type { DayOrder, StatementQuestion } from '@arboleda/contracts/statement.ts';
import { isAccount } from '../credit.ts';
import { type Decimal, decimalStyle } from './amounts.ts';
import { againstBalance } from './balance.ts';
import type { Cells } from './cells.ts';
import {
  columnsByContent,
  columnsByTitle,
  completed,
  directionColumn,
  isComplete,
  titlesOf,
  unsignedOut,
} from './columns.ts';
import { currencyAbove, currencyOf, currencyOfTitle } from './currencies.ts';
import { dayOf, dayStyle, isDay, serialDay } from './days.ts';
import { directionsOf, directionValue } from './directions.ts';
import {
  type ColumnChoice,
  type Doubt,
  type Layout,
  type Movement,
  plain,
  type Reading,
  type ReadOptions,
  refuseForeign,
} from './movement.ts';
import { isWrongGuess, MAX_FAULTS, NOTHING, problemAt, readAll } from './faults.ts';
import { accountAbove, lineWithoutDay } from './other-lines.ts';
import { currencyOfRow, placesOf, rowReader } from './row.ts';
import { lineWithMovedCells, refuseOddLengths } from './width.ts';
import { yearsOf } from './year.ts';

const SAMPLES = 3;
const SAMPLE_LENGTH = 80;
const OTHER_LINES = 5;

/**
 * Movements of a table. Lines without a day are titles and totals; a line with a day must have an amount. What cannot be
 * read because the columns may be guessed wrong is asked; one bad cell in a column that is right is refused.
 * @throws Problem `statement-mixed-decimals`, `statement-three-decimals`, `statement-mixed-days`,
 * `statement-foreign-currency`, `statement-row-unreadable`, `statement-row-length`, `statement-day-ahead`
 */
export function readTable(cells: Cells, options: ReadOptions): Omit<Reading, 'format'> {
  refuseForeign(
    (cells.currencies ?? []).map((sign) => currencyOf(sign, options.currency)),
    options.currency,
  );
  const titled = titlesOf(cells.rows);
  const above = cells.rows.slice(0, Math.max(titled.line, 0));
  const width = Math.max(0, ...cells.rows.map((row) => row.length));
  if (width < 2) throw new Problem('statement-unreadable');
  const titles = Array.from({ length: width }, (_, at) => plain(cells.rows[titled.line]?.[at] ?? '', 120));
  const header = titled.line < 0 ? `${width} columns` : titles.join('|').toLowerCase();
  const kept = options.layouts[layoutKey(header)] ?? options.layouts[header];
  const layout: Layout = { ...kept, ...options.layout };
  const isGuess = !layout.columns;
  const byTitle = columnsByTitle(titles, titled, cells.rows.slice(titled.line + 1), options.currency);
  const isTitled = byTitle.some(({ role }) => role === 'day');
  const known =
    layout.columns ??
    (isTitled ? byTitle : joined(byTitle, columnsByContent(cells.rows.slice(titled.line + 1))));
  if (known.some(({ column }) => column >= width))
    throw new Problem('validation-failed', { fields: [{ path: 'columns', type: 'invalid' }] });

  const dayColumn = placesOf(known).day;
  const { body, lineOf } = bodyOf(cells, titled.line, dayColumn);
  const isMovement = (row: readonly string[]) => dayColumn !== undefined && isDay(row[dayColumn] ?? '');
  const moved = body.filter(isMovement);
  refuseOddLengths(moved, cells, titled.line, lineOf);

  const { columns, doubts } = isGuess
    ? completed(known, titles, moved)
    : chosen(known, layout, titles, moved);
  const at = placesOf(columns);
  const questions: StatementQuestion[] = isComplete(columns) && (!isGuess || isTitled) ? [] : ['columns'];
  if (isGuess)
    doubts.push(...lineDoubts({ body, moved, columns, isCommas: cells.separator === ',', lineOf }));

  const order = dayOrderOf(
    moved.map((row) => row[dayColumn!]!),
    layout.dayOrder,
  );
  if (order === undefined) questions.push('day-order');
  const years = yearsOf(
    moved.map((row) => row[dayColumn!]!),
    { order: order ?? 'dmy', above, said: layout.year, options },
  );
  if (years.isOpen) questions.push('year');
  const directions = directionsIn(moved, at.direction, titles, layout);
  if ([...directions.values()].includes(undefined)) questions.push('direction');
  const decimal = decimalOf(moved, columns);
  const currency =
    titleCurrency(titles, at, options.currency) ??
    above.map((row) => currencyAbove(row, options.currency)).find(Boolean) ??
    options.currency;

  const hasForeign = foreignRows(moved, at, currency, options.currency);
  if (isGuess && hasForeign.some && !hasForeign.all && at.currency !== undefined)
    doubts.push({ kind: 'other-currency', column: at.currency });
  else refuseForeign([hasForeign.some], options.currency);

  const read = rowReader({
    columns,
    isGuess,
    order: order ?? 'dmy',
    yearAt: years.rule,
    today: order === undefined || years.isOpen ? undefined : options.today,
    decimal,
    currency,
    directions,
    isSigned: moved.some((row) => /[-−–(]/.test(row[at.amount ?? -1] ?? '')),
  });
  const { movements, lines, faults } = isComplete(columns) ? readAll(moved, read) : NOTHING;
  for (const { row, fault } of faults) {
    const { role, kind } = fault;
    const [line, column] = [lineOf(row), at[role]];
    const isAhead = (cell: string) => (dayOf(cell, order ?? 'dmy', years.rule) ?? '') > options.today!;
    const isAsked = isGuess && (!isTitled || isWrongGuess(fault, moved, at, isAhead));
    if (!isAsked) throw problemAt(line, fault);
    doubts.push({ kind, role, line, ...(column !== undefined && { column, text: sampleOf(row[column]) }) });
  }
  if (isGuess)
    doubts.push(
      ...rowDoubts({ movements, at, ours: options.account, lineAt: (index) => lineOf(lines[index]!) }),
    );
  if (doubts.length > 0 && !questions.includes('columns')) questions.unshift('columns');

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
    account: accountAbove(above, options.account),
    movements,
    otherLines: [...above, ...body.filter((row) => !isMovement(row))]
      .slice(0, OTHER_LINES)
      .map((row) => plain(row.filter(Boolean).join(' · '), 200)),
    questions,
    ...(doubts.length > 0 && { doubts: doubts.slice(0, MAX_FAULTS) }),
    ...(directions.size > 0 && {
      directions: [...directions].map(([value, isCredit]) => ({
        value,
        ...(isCredit !== undefined && { isCredit }),
      })),
    }),
  };
}

/** Where layouts are kept since there is a role for directions, which version 1.0 cannot read. */
export const layoutKey = (header: string): string => `${header}#2`;

type Row = readonly string[];

/** Rows below the titles, with the days that a workbook counts, or that have no year, written out. */
function bodyOf(cells: Cells, titleLine: number, dayColumn: number | undefined) {
  const lines = new Map<Row, number>();
  const body = cells.rows.slice(titleLine + 1).map((row, index) => {
    const cell = row[dayColumn ?? -1] ?? '';
    // "16.11" is an amount elsewhere.
    const day = /^\d{1,2}\.\d{1,2}$/.test(cell) ? `${cell}.` : serialDay(cell, cells.isFrom1904);
    const read = day === undefined ? row : row.with(dayColumn!, day);
    lines.set(read, cells.lines[titleLine + 1 + index]!);
    return read;
  });
  return { body, lineOf: (row: Row) => lines.get(row)! };
}

/** Columns without a known title are guessed from the content, and asked. */
const joined = (byTitle: readonly ColumnChoice[], byContent: readonly ColumnChoice[]): ColumnChoice[] => [
  ...byTitle,
  ...byContent.filter((one) =>
    byTitle.every(({ column, role }) => column !== one.column && (role !== one.role || role === 'text')),
  ),
];

/** Columns that were said before there was a column of directions may lack one. */
function chosen(
  known: readonly ColumnChoice[],
  layout: Layout,
  titles: readonly string[],
  moved: readonly Row[],
) {
  const lacking = layout.directions ? undefined : directionColumn(known, titles, moved);
  const doubts: Doubt[] = lacking ? [{ kind: 'two-values', column: lacking.column }] : [];
  return { columns: [...known], doubts };
}

/** Lines that speak against guessed columns, before their rows are read. */
function lineDoubts(of: {
  body: readonly Row[];
  moved: readonly Row[];
  columns: readonly ColumnChoice[];
  isCommas: boolean;
  lineOf: (row: Row) => number;
}): Doubt[] {
  const { body, moved, columns, isCommas, lineOf } = of;
  const at = placesOf(columns);
  if (at.day === undefined) return [];
  const dayless =
    moved.length === 0 ? body.find((row) => row[at.day!]) : lineWithoutDay(body, new Set(moved), at);
  const unsigned = unsignedOut(columns, moved);
  const torn = isCommas ? lineWithMovedCells(moved, columns) : undefined;
  return [
    ...(dayless
      ? [
          {
            kind: 'unreadable' as const,
            role: 'day' as const,
            line: lineOf(dayless),
            text: sampleOf(dayless[at.day]),
          },
        ]
      : []),
    ...(torn ? [{ kind: 'moved-cells' as const, line: lineOf(torn) }] : []),
    ...(unsigned
      ? [
          {
            kind: 'no-signs' as const,
            line: lineOf(unsigned.row),
            column: unsigned.column,
            text: sampleOf(unsigned.row[unsigned.column]),
          },
        ]
      : []),
  ];
}

/** Rows that speak against guessed columns: of another account, or with another sign than the balance. */
function rowDoubts(of: {
  movements: readonly Movement[];
  at: ReturnType<typeof placesOf>;
  ours: string | undefined;
  lineAt: (index: number) => number;
}): Doubt[] {
  const { movements, at, ours, lineAt } = of;
  const theirs = movements.findIndex(({ account }) => account && ours && !isAccount(account, ours));
  const wrong = againstBalance(movements);
  return [
    ...(theirs < 0
      ? []
      : [
          {
            kind: 'other-account' as const,
            column: at.account,
            line: lineAt(theirs),
            text: movements[theirs]!.account,
          },
        ]),
    ...(wrong < 0 ? [] : [{ kind: 'balance-differs' as const, line: lineAt(wrong), column: at.balance }]),
  ];
}

const roleAt = (columns: readonly ColumnChoice[], column: number) => {
  const found = columns.find((one) => one.column === column);
  return found ? { role: found.role } : {};
};

const sampleOf = (cell: string | undefined): string => plain(cell ?? '', SAMPLE_LENGTH);

const samplesOf = (rows: readonly Row[], column: number): string[] =>
  rows
    .filter((row) => row[column])
    .slice(0, SAMPLES)
    .map((row) => sampleOf(row[column]));

/** @returns undefined when it has to be asked */
function dayOrderOf(days: readonly string[], said: DayOrder | undefined): DayOrder | undefined {
  const style = dayStyle(days);
  if (style === 'mixed') throw new Problem('statement-mixed-days');
  return style === 'open' ? (said === 'ymd' ? undefined : said) : style;
}

/** The meaning of each value in the column of directions; undefined for those that are asked. */
function directionsIn(
  moved: readonly Row[],
  column: number | undefined,
  titles: readonly string[],
  layout: Layout,
) {
  if (column === undefined) return new Map<string, boolean | undefined>();
  const values = [...new Set(moved.map((row) => directionValue(row[column] ?? '')))]
    .filter((value) => value !== '')
    .slice(0, 20);
  const known = directionsOf(values, titles[column] ?? '');
  for (const { value, isCredit } of layout.directions ?? [])
    if (values.includes(directionValue(value))) known.set(directionValue(value), isCredit);
  return known;
}

function decimalOf(rows: readonly Row[], columns: readonly ColumnChoice[]): Decimal {
  const money = columns.filter(({ role }) => ['amount', 'credit', 'debit', 'balance'].includes(role));
  const style = decimalStyle(rows.flatMap((row) => money.map(({ column }) => row[column] ?? '')));
  if (style === 'mixed') throw new Problem('statement-mixed-decimals');
  if (style === 'thousandths') throw new Problem('statement-three-decimals');
  return style ?? '.';
}

const titleCurrency = (titles: readonly string[], at: ReturnType<typeof placesOf>, own: string) =>
  [at.amount, at.credit, at.balance]
    .map((column) => (column === undefined ? undefined : currencyOfTitle(titles[column]!, own)))
    .find(Boolean);

/** The foreign currency of some rows, and whether all have one. */
function foreignRows(moved: readonly Row[], at: ReturnType<typeof placesOf>, stated: string, own: string) {
  const named = moved.map((row) => {
    try {
      return currencyOfRow(row, at, own) ?? stated;
    } catch {
      return own;
    }
  });
  const foreign = named.filter((one) => one !== own);
  return { some: foreign[0], all: foreign.length === named.length };
}
