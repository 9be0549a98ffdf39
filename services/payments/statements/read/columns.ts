import { folded } from '@arboleda/contracts/search.ts';
import type { ColumnRole } from '@arboleda/contracts/statement.ts';
import type { ColumnChoice } from './movement.ts';
import { isAmount, isDay } from './values.ts';

/** Words that banks write over a column, in the order in which they are tried. */
const TITLES: readonly (readonly [ColumnRole, RegExp])[] = [
  ['balance', /\b(saldo|balance)\b/],
  ['currency', /\b(moneda|divisa|currency)\b/],
  ['account', /\b(cuenta|account|iban)\b/],
  [
    'credit',
    /\b(creditos?|abonos?|haber|consignacion(es)?|depositos?|entradas?|ingresos?|credits?|deposits?|paid in)\b/,
  ],
  ['debit', /\b(debitos?|cargos?|debe|retiros?|salidas?|egresos?|debits?|withdrawals?|paid out)\b/],
  ['amount', /\b(valor|monto|importe|cantidad|amount|value|sum)\b/],
  ['day', /\b(fecha|dia|date|day)\b/],
  ['name', /\b(nombre|pagador|ordenante|remitente|originador|payer|name|sender|debtor)\b/],
  ['number', /\b(documento|numero|nro|transaccion|comprobante|number|transaction|fitid|id)\b/],
  [
    'text',
    /\b(descripcion|concepto|detalles?|referencia|motivo|observacion(es)?|movimiento|description|details?|memo|text|reference|concept|narrative)\b/,
  ],
];
/** A column with a date in its title is one: "Fecha valor", "Value date". */
const DAY = /\b(fecha|date)\b/;

const roleOf = (title: string): ColumnRole | undefined => {
  const words = folded(title);
  if (words.length > 60) return undefined;
  return DAY.test(words) ? 'day' : TITLES.find(([, pattern]) => pattern.test(words))?.[0];
};

const HEADER_WITHIN = 40;

export interface Guess {
  /** Index of the line of titles; -1 when there is none. */
  headerLine: number;
  columns: ColumnChoice[];
}

/** Finds titles and roles of the columns. */
export function guessColumns(rows: readonly (readonly string[])[]): Guess {
  const headerLine = rows.slice(0, HEADER_WITHIN).findIndex((row) => {
    const roles = new Set(row.filter((cell) => !isAmount(cell)).map(roleOf));
    return roles.has('day') && (roles.has('amount') || roles.has('credit'));
  });
  return headerLine < 0
    ? { headerLine, columns: byContent(rows) }
    : { headerLine, columns: once(rows[headerLine]!.map(roleOf)) };
}

/** Several columns may be text; of the others the first counts. */
function once(roles: readonly (ColumnRole | undefined)[]): ColumnChoice[] {
  const taken = new Set<ColumnRole>();
  return roles.flatMap((role, column) => {
    if (!role || (role !== 'text' && taken.has(role))) return [];
    taken.add(role);
    return [{ column, role }];
  });
}

/** Roles of a file without titles: days, then amounts, then text. */
function byContent(rows: readonly (readonly string[])[]): ColumnChoice[] {
  const sample = rows.slice(-50);
  const width = Math.max(0, ...sample.map((row) => row.length));
  const mostly = (column: number, is: (cell: string) => boolean) =>
    sample.filter((row) => is(row[column] ?? '')).length > sample.length * 0.6;
  const columns = Array.from({ length: width }, (_, column) => column);
  const day = columns.find((column) => mostly(column, isDay));
  const amount = columns.find(
    (column) => column !== day && mostly(column, (cell) => isAmount(cell) && /[.,-]|\d{4}/.test(cell)),
  );
  return [
    ...(day === undefined ? [] : [{ column: day, role: 'day' as const }]),
    ...(amount === undefined ? [] : [{ column: amount, role: 'amount' as const }]),
    ...columns
      .filter((column) => column !== day && mostly(column, (cell) => /\p{L}{2}/u.test(cell)))
      .map((column) => ({ column, role: 'text' as const })),
  ];
}

/** Whether movements can be read with these columns. */
export const isComplete = (columns: readonly ColumnChoice[]): boolean => {
  const has = (role: ColumnRole) => columns.some((one) => one.role === role);
  return has('day') && (has('amount') || has('credit'));
};
