import { folded } from '@arboleda/contracts/search.ts';
import { isAccount } from '../credit.ts';
import { isAmount } from './amounts.ts';
import type { placesOf } from './row.ts';

type Row = readonly string[];

/** Other numbers of a holder, that may follow the word "cuenta". */
const NO_ACCOUNT =
  /\b(nit|rut|c\.?c|cedula|documento|tel|telefono|cel|celular|fax|cliente|codigo|sucursal|oficina|fecha|periodo|saldo|id)\b/;

/**
 * An account's number in the lines above the titles; ours if it is among several. Days are none: "Cuenta de ahorros,
 * 2026-03-01 a 2026-03-31".
 */
export function accountAbove(rows: readonly Row[], ours: string | undefined): string | undefined {
  const text = rows.map((row) => row.join(' ')).join('\n');
  const named = text.matchAll(
    /(?:cuenta|account|iban|konto)([^\d*\n]{0,40})(?!\d{1,4}[-.]\d{1,2}[-.]\d{2,4}\b)([\d*][\d* .-]{4,30}\d)/gi,
  );
  const numbers = [...named].flatMap(([, between, number]) =>
    NO_ACCOUNT.test(folded(between!)) ? [] : [number!.trim()],
  );
  return numbers.find((one) => ours !== undefined && isAccount(one, ours)) ?? numbers[0];
}

const SUM = /total|saldo|balance|kontostand|\bsumm?[ae]\b/;

/**
 * A line with an amount that is no total, and yet no movement: its day is left out, as in the line above, or cannot be
 * read.
 */
export function lineWithoutDay(
  body: readonly Row[],
  moved: ReadonlySet<Row>,
  at: ReturnType<typeof placesOf>,
): Row | undefined {
  const last = body.findLastIndex((row) => moved.has(row));
  const hasSum = (row: Row) =>
    [at.amount, at.credit, at.debit].some((column) => column !== undefined && isAmount(row[column] ?? ''));
  return body.find(
    (row, index) =>
      !moved.has(row) &&
      hasSum(row) &&
      row.filter(Boolean).length > 1 &&
      !SUM.test(folded(row.join(' '))) &&
      (row[at.day!] ? row.filter(Boolean).length > 2 : index < last),
  );
}
