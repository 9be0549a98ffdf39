import { folded } from '@arboleda/contracts/search.ts';
import type { ColumnRole } from '@arboleda/contracts/statement.ts';
import { isAmount, isMoney } from './amounts.ts';
import { currencyOfTitle } from './currencies.ts';
import { isDay } from './days.ts';
import {
  directionsOf,
  directionValue,
  isDirectionTitle,
  maybeDirectionTitle,
  namesBoth,
} from './directions.ts';
import type { ColumnChoice, Doubt } from './movement.ts';

/** Words that banks write over a column in Spanish, English, German and Portuguese, in the order in which they are tried. */
const TITLES: readonly (readonly [ColumnRole, RegExp])[] = [
  ['balance', /\b(saldos?|balance|kontostand)\b/],
  ['currency', /\b(moneda|divisa|currency|ccy|wahrung|waehrung|moeda)\b/],
  ['account', /\b(cuenta|account|iban|konto|kontonummer|auftragskonto|conta)\b/],
  [
    'credit',
    /\b(creditos?|abonos?|haber|consignacion(es)?|depositos?|entradas?|ingresos?|credits?|deposits?|(paid|money) in|inflow|haben|gutschrift(en)?|eingange?)\b|^(in|ein|cr)$/,
  ],
  [
    'debit',
    /\b(debitos?|cargos?|debe|retiros?|salidas?|saidas?|egresos?|debits?|withdrawals?|(paid|money) out|outflow|gastos?|soll|lastschrift(en)?|belastung(en)?|ausgange?)\b|^(out|aus|dr|db)$/,
  ],
  ['amount', /\b(valor|monto|importe|cantidad|amount|value|sum|betrag|umsatz|quantia|montante)\b/],
  ['day', /\b(fecha|fec|dia|date|day|data|datum|buchung|buchungstag|buchungsdatum|wertstellung|valuta)\b/],
  [
    'name',
    /\b(nombres?|pagador|ordenante|remitente|remetente|originador|tercero|titular|beneficiario|contraparte|razon social|payer|payee|name|sender|debtor|counterparty|auftraggeber|zahlungspflichtiger|beguenstigter|begunstigter|empfanger|nome|favorecido)\b/,
  ],
  [
    'number',
    /\b(documento|doc|numero|nro|transaccion|comprobante|number|transaction|fitid|id|belegnummer|autorizacion)\b/,
  ],
  [
    'text',
    /\b(descripcion|concepto|detalles?|referencias?|motivo|observacion(es)?|movimiento|texto|glosa|description|details?|memo|text|reference|concept|narrative|verwendungszweck|buchungstext|descricao|historico|lancamento)\b/,
  ],
];
/** A column with a date in its title is one: "Fecha valor", "Value date", "F. valor". */
const DAY = /\b(fecha|date|datum|data)\b|^f\. ?\p{L}/u;
/** "Descripción de la transacción" is no number. */
const TEXT = /\b(descripcion|description|concepto|descricao|detalles?)\b/;
/** A column of the other side, or of the sum before it was exchanged. */
const THEIRS =
  /\b(origen|origem|destino|ordenante|remitente|pagador|beneficiario|tercero|contraparte|payer|payee|sender|debtor|counterparty|partner|from|to|gegenkonto|auftraggeber|original|foreign|extranjera|customer|cliente)\b/;

const FOREIGN = /\b(original|origen|foreign|extranjera|local)\b/;

function roleOf(title: string): ColumnRole | undefined {
  const words = folded(title);
  if (words.length > 60) return undefined;
  if (DAY.test(words)) return 'day';
  if (namesBoth(title)) return undefined;
  const role = TITLES.find(([, pattern]) => pattern.test(words))?.[0];
  if (role === 'number' && TEXT.test(words)) return 'text';
  if ((role === 'account' || role === 'currency') && THEIRS.test(words)) return undefined;
  return role === 'amount' && FOREIGN.test(words) ? undefined : role;
}

const HEADER_WITHIN = 40;

export interface Titles {
  /** Index of the line of titles; -1 when there is none. */
  line: number;
  roles: (ColumnRole | undefined)[];
}

/**
 * The line of titles: with words for a day and an amount, or else a line of words above a row that has a day and an
 * amount.
 */
export function titlesOf(rows: readonly (readonly string[])[]): Titles {
  const head = rows.slice(0, HEADER_WITHIN);
  const rolesOf = (row: readonly string[]) => row.map((cell) => (isAmount(cell) ? undefined : roleOf(cell)));
  const known = head.findIndex((row) => {
    const roles = new Set(rolesOf(row));
    return roles.has('day') && (roles.has('amount') || roles.has('credit') || row.some(namesBoth));
  });
  const line = known >= 0 ? known : lineAboveRows(head);
  return { line, roles: line < 0 ? [] : rolesOf(head[line]!) };
}

const hasValues = (row: readonly string[]): boolean => row.some(isDay) && row.some(isAmount);

function lineAboveRows(rows: readonly (readonly string[])[]): number {
  const line = rows.findIndex(hasValues) - 1;
  const row = rows[line];
  if (!row || row.some((cell) => isDay(cell) || isAmount(cell))) return -1;
  const filled = row.filter((cell) => cell !== '').length;
  return filled >= 3 && filled >= rows[line + 1]!.filter((cell) => cell !== '').length - 1 ? line : -1;
}

/**
 * The columns as their titles say. Of several with one role the first counts, of amounts the one that is filled and has the
 * shortest title.
 */
export function columnsByTitle(
  titles: readonly string[],
  { roles }: Titles,
  rows: readonly (readonly string[])[],
  own: string,
): ColumnChoice[] {
  const isForeign = (column: number) =>
    ![undefined, own].includes(currencyOfTitle(titles[column] ?? '', own));
  const isEmpty = (column: number) => !rows.some((row) => row[column]);
  return roles.flatMap((role, column): ColumnChoice[] => {
    if (!role) return [];
    const same = roles.flatMap((other, at) => (other === role ? [at] : []));
    if (role === 'text') return [{ column, role }];
    const best = same.toSorted(
      (a, b) =>
        // For other roles the next file must get the same choice, or its rows would have other ids.
        (role === 'amount' ? Number(isEmpty(a)) - Number(isEmpty(b)) : 0) ||
        Number(isForeign(a)) - Number(isForeign(b)) ||
        (role === 'amount' ? titles[a]!.length - titles[b]!.length : 0) ||
        a - b,
    )[0];
    return column === best ? [{ column, role }] : [];
  });
}

/** Roles of a file without titles: days, then amounts, then text. */
export function columnsByContent(rows: readonly (readonly string[])[]): ColumnChoice[] {
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

/** Cells of a column that hold something. */
const filledIn = (rows: readonly (readonly string[])[], column: number): string[] =>
  rows.map((row) => (row[column] ?? '').trim()).filter((cell) => cell !== '');

const isOf = (columns: readonly ColumnChoice[], ...roles: ColumnRole[]) =>
  columns.find(({ role }) => roles.includes(role));

/**
 * Completes what titles tell with what the columns hold. Nothing that tells rows apart is left out unseen: a column that
 * nobody knows becomes text, or is asked about when it holds money.
 */
export function completed(
  known: readonly ColumnChoice[],
  titles: readonly string[],
  rows: readonly (readonly string[])[],
): { columns: ColumnChoice[]; doubts: Doubt[] } {
  const doubts: Doubt[] = [];
  const direction = directionColumn(known, titles, rows);
  if (direction?.isDoubtful) doubts.push({ kind: 'two-values', column: direction.column });
  let columns = [...known];
  if (direction && !direction.isDoubtful) {
    // "Retiro" below "Movimiento" is also a text.
    columns = columns.filter(({ column, role }) => column !== direction.column || role === 'text');
    columns = [{ column: direction.column, role: 'direction' }, ...columns];
  }
  const signed = titles.findIndex(
    (title, column) => namesBoth(title) && filledIn(rows, column).every(isAmount),
  );
  if (!isOf(columns, 'amount', 'credit') && signed >= 0)
    columns = [...columns, { column: signed, role: 'amount' }];
  for (let column = 0; column < titles.length; column++) {
    if (columns.some((one) => one.column === column)) continue;
    const cells = filledIn(rows, column);
    if (cells.length === 0 || cells.every(isDay) || cells.every(isZero)) continue;
    if (titles[column] === '' && titles.some(Boolean) && cells.every(isAmount))
      doubts.push({ kind: 'moved-cells', column });
    else if (!cells.every(isAmount)) columns.push({ column, role: 'text' });
    else if (!cells.some(isMoney)) columns.push({ column, role: 'text' });
    else if (!isBalanceTitle(titles[column]!)) doubts.push({ kind: 'money-without-role', column });
  }
  return { columns: columns.toSorted((a, b) => a.column - b.column), doubts };
}

const isZero = (cell: string): boolean => /^[^1-9\p{L}]*0[^1-9\p{L}]*$/u.test(cell);

/** A second balance, such as the available one, tells no rows apart. */
const isBalanceTitle = (title: string): boolean => roleOf(title) === 'balance';

const MAX_DIRECTIONS = 4;
const MAX_WORD = 30;

/**
 * The column that tells the direction of all sums, by its words, or by its title where the words are unknown. `isDoubtful`:
 * a column with two values that may be directions, while no sum has a sign.
 */
export function directionColumn(
  known: readonly ColumnChoice[],
  titles: readonly string[],
  rows: readonly (readonly string[])[],
): { column: number; isDoubtful: boolean } | undefined {
  if (isOf(known, 'direction')) return undefined;
  const money = moneyOf(known);
  const isSigned = haveSigns(known, rows);
  const isOut = (row: readonly string[]) =>
    money.some(({ column, role }) => {
      const cell = row[column] ?? '';
      return role === 'debit' ? isAmount(cell) && !isZero(cell) : hasSign(cell);
    });
  const candidates = titles.flatMap((title, column) => {
    const role = known.find((one) => one.column === column)?.role;
    const isFree = role === undefined || ['text', 'number', 'credit', 'debit'].includes(role);
    if (!isFree) return [];
    const cells = filledIn(rows, column);
    const written = new Set(cells);
    // "Crédito", "CREDITO" and "credito." are one value.
    if (written.size > MAX_DIRECTIONS * 4) return [];
    const values = [...new Set([...written].map(directionValue))];
    if (values.length === 0 || values.length > MAX_DIRECTIONS || cells.some((cell) => cell.length > MAX_WORD))
      return [];
    if (cells.every(isAmount) && (cells.some(isMoney) || !maybeDirectionTitle(title))) return [];
    return [{ title, column, role, values, cells }];
  });
  const isClear = ({ title, values, role }: (typeof candidates)[number]) => {
    const directions = [...directionsOf(values, title).values()];
    if (directions.includes(undefined)) return false;
    // "Consignación" in all rows is a text where its title says so.
    return directions.includes(false) || maybeDirectionTitle(title) || role === undefined;
  };
  const agrees = ({ title, values, column }: (typeof candidates)[number]) => {
    const directions = directionsOf(values, title);
    return rows.every((row) => directions.get(directionValue(row[column] ?? '')) === !isOut(row));
  };
  const clear = candidates.find(
    // Words that contradict the signs are asked about when the rows are read.
    (one) =>
      isClear(one) && (!isSigned || isDirectionTitle(one.title) || one.role === undefined || agrees(one)),
  );
  if (clear) return { column: clear.column, isDoubtful: false };
  if (isSigned) return undefined;
  const titled = candidates.find(({ title, role }) => isDirectionTitle(title) && role !== 'text');
  if (titled) return { column: titled.column, isDoubtful: false };
  const doubtful = candidates.find(
    ({ title, role, values, cells }) =>
      role !== 'number' &&
      (maybeDirectionTitle(title) || values.every((value) => !/\d/.test(value))) &&
      (values.length === 2
        ? role === undefined || maybeDirectionTitle(title) || cells.length > 2
        : [...directionsOf(values, title).values()].includes(false) ||
          (role === undefined && /^[cdhs]$/.test(values[0]!))),
  );
  return doubtful && { column: doubtful.column, isDoubtful: true };
}

const moneyOf = (known: readonly ColumnChoice[]) =>
  known.filter(({ role }) => role === 'amount' || role === 'credit' || role === 'debit');

const haveSigns = (known: readonly ColumnChoice[], rows: readonly (readonly string[])[]): boolean =>
  isOf(known, 'debit') !== undefined ||
  moneyOf(known).some(({ column }) =>
    filledIn(rows, column).some((cell) => hasSign(cell) || /\dCR$/i.test(cell)),
  );

/** Banks' words for money that goes out. Nobody writes them in a payment to us. */
const MONEY_OUT =
  /\b(cuotas? (de )?manejo|gmf|4 ?x ?(1000|mil)|gravamen|comision(es)?|retiros?|debitos?|cargos?|withdrawals?|fees?|lastschrift|debit|tarifa)\b/;

/**
 * A row whose text is that of money out, in a file in which nothing tells the direction.
 * @returns the row, and the column of its text
 */
export function unsignedOut(
  columns: readonly ColumnChoice[],
  rows: readonly (readonly string[])[],
): { row: readonly string[]; column: number } | undefined {
  if (isOf(columns, 'direction') || haveSigns(columns, rows)) return undefined;
  const texts = columns.filter(({ role }) => role === 'text').map(({ column }) => column);
  for (const row of rows) {
    const column = texts.find((at) => MONEY_OUT.test(folded(row[at] ?? '')));
    if (column !== undefined) return { row, column };
  }
  return undefined;
}

const hasSign = (cell: string): boolean => isAmount(cell) && /[-−–(]|(?:DB|DR)$/i.test(cell);

/** Whether movements can be read with these columns. */
export const isComplete = (columns: readonly ColumnChoice[]): boolean =>
  isOf(columns, 'day') !== undefined && isOf(columns, 'amount', 'credit') !== undefined;
