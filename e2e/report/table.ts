/** Results for a terminal and for a page. */
export interface Table {
  title: string;
  columns: readonly string[];
  rows: readonly (readonly (string | number)[])[];
  /** Only printed: too long for the page. */
  isDetail?: boolean;
  /** A page also draws the figures of this column, for the names in the first one. */
  plotted?: string;
}

const shown = (cell: string | number): string =>
  typeof cell === 'number'
    ? cell.toLocaleString('en', { maximumFractionDigits: Math.abs(cell) < 10 ? 2 : 1 })
    : cell;

/** A column whose cells are all numbers is set to the right. */
const isNumeric = (table: Table, column: number): boolean =>
  table.rows.length > 0 && table.rows.every((row) => typeof row[column] === 'number');

/** For a terminal. */
export function tableLines(table: Table): string[] {
  const cells = [table.columns.map(String), ...table.rows.map((row) => row.map(shown))];
  const widths = table.columns.map((_name, at) => Math.max(...cells.map((row) => (row[at] ?? '').length)));
  const numeric = table.columns.map((_name, at) => isNumeric(table, at));
  const line = (row: readonly string[]) =>
    widths
      .map((width, at) => (numeric[at] ? (row[at] ?? '').padStart(width) : (row[at] ?? '').padEnd(width)))
      .join('  ')
      .trimEnd();
  return [
    table.title,
    ...[cells[0]!, widths.map((width) => '─'.repeat(width)), ...cells.slice(1)].map(
      (row) => `  ${line(row)}`,
    ),
  ];
}

/** The tables that a page shows, each after an empty line. */
export const tablesMarkdown = (tables: readonly Table[]): string[] =>
  tables
    .filter(({ isDetail }) => !isDetail)
    .flatMap((table) => ['', tableMarkdown(table), ...(table.plotted ? ['', plotMarkdown(table)] : [])]);

/** For a page. */
export function tableMarkdown(table: Table): string {
  const row = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const rule = table.columns.map((_name, at) => (isNumeric(table, at) ? '---:' : '---'));
  return [
    `**${table.title}**`,
    '',
    row(table.columns),
    row(rule),
    ...table.rows.map((cells) => row(cells.map(shown))),
  ].join('\n');
}

/** Bars that GitHub draws: https://mermaid.js.org/syntax/xyChart.html. A cell such as "12.3 (11.0 – 14.2)" counts by its first figure. */
function plotMarkdown({ columns, rows, plotted }: Table): string {
  const at = columns.indexOf(plotted!);
  const names = rows.map(([name]) => JSON.stringify(name));
  const figures = rows.map((row) => Number.parseFloat(String(row[at])) || 0);
  return [
    '```mermaid',
    'xychart-beta horizontal',
    `  x-axis [${names.join(', ')}]`,
    `  y-axis ${JSON.stringify(plotted)} 0 --> ${Math.ceil(Math.max(...figures))}`,
    `  bar [${figures.join(', ')}]`,
    '```',
  ].join('\n');
}
