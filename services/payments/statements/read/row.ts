import { MAX_AMOUNT_MINOR } from '@arboleda/contracts/money.ts';
import type { ColumnRole, DayOrder, StatementDoubt } from '@arboleda/contracts/statement.ts';
import { amountOf, currencyIn, type Decimal, isAmount, isTornOff } from './amounts.ts';
import { currencyOf } from './currencies.ts';
import { dayOf } from './days.ts';
import { directionValue } from './directions.ts';
import { type ColumnChoice, type Movement, plain } from './movement.ts';

/** A cell that cannot be read. */
export class RowFault extends Error {
  readonly role: ColumnRole;
  readonly kind: StatementDoubt;

  constructor(role: ColumnRole, kind: StatementDoubt = 'unreadable') {
    super(kind);
    this.role = role;
    this.kind = kind;
  }
}

type Columns = Partial<Record<ColumnRole, number>>;
export const placesOf = (columns: readonly ColumnChoice[]): Columns =>
  Object.fromEntries(columns.map(({ role, column }) => [role, column]));

const MONEY = ['amount', 'credit', 'debit'] as const;

/** The currency of a row. @throws RowFault for a word that nobody knows, and for two currencies */
export function currencyOfRow(row: readonly string[], at: Columns, own: string): string | undefined {
  const word = (at.currency === undefined ? '' : row[at.currency]) ?? '';
  const named = word === '' ? undefined : currencyOf(word, own);
  if (word !== '' && !named) throw new RowFault('currency');
  const beside = MONEY.map((role) => currencyIn(row[at[role] ?? -1] ?? '', own)).find(Boolean);
  if (named && beside && named !== beside) throw new RowFault('currency');
  return named ?? beside;
}

/** @returns reads a row of a table; undefined for one in which no money moves. The reader throws RowFault. */
export function rowReader(how: {
  columns: readonly ColumnChoice[];
  /** Guessed columns must agree with each other; of chosen ones the direction counts, and a balance may be missing. */
  isGuess: boolean;
  order: DayOrder;
  yearAt: (month: number, day: number) => number | undefined;
  /** Last day that a row can have. */
  today: string | undefined;
  decimal: Decimal;
  currency: string;
  /** The meaning of a value in the column of directions. */
  directions: ReadonlyMap<string, boolean | undefined>;
  /** Whether some sums have a minus. */
  isSigned: boolean;
}): (row: readonly string[]) => Movement | undefined {
  const { columns, isGuess, order, decimal, today } = how;
  const at = placesOf(columns);
  const texts = columns.filter(({ role }) => role === 'text').map(({ column }) => column);

  return (row) => {
    const cell = (role: ColumnRole) => (at[role] === undefined ? '' : (row[at[role]] ?? ''));
    const currency = currencyOfRow(row, at, how.currency) ?? how.currency;
    const money = (role: ColumnRole): number | undefined => {
      const text = cell(role);
      if (/^[-–—]{0,3}$/.test(text)) return undefined;
      const amount = isAmount(text) && !isTornOff(text) ? amountOf(text, decimal, currency) : undefined;
      if (amount === undefined) throw new RowFault(role);
      return amount;
    };
    const day = dayOf(cell('day'), order, how.yearAt);
    if (!day) throw new RowFault('day');
    if (today !== undefined && day > today) throw new RowFault('day', 'day-ahead');
    const unsigned = sumOf(money('amount'), money('credit'), money('debit'), at.amount !== undefined);
    const amountMinor = at.direction === undefined ? unsigned : directed(unsigned, cell('direction'));
    if (amountMinor === 0 || amountMinor === undefined) return undefined;
    return {
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
      balanceMinor: isGuess || isAmount(cell('balance')) ? money('balance') : undefined,
    };
  };

  /** @returns undefined while it is asked what the value means */
  function directed(unsigned: number, word: string): number | undefined {
    const value = directionValue(word);
    if (value === '') throw new RowFault('direction');
    const isCredit = how.directions.get(value);
    if (isCredit === undefined) return undefined;
    const isContradicted = isCredit ? unsigned < 0 : unsigned > 0 && how.isSigned;
    if (isGuess && isContradicted) throw new RowFault('direction', 'sign-differs');
    return isCredit ? Math.abs(unsigned) : -Math.abs(unsigned);
  }
}

/** One sum of up to three columns. Banks write debits with or without a minus in a column of their own. */
function sumOf(
  amount: number | undefined,
  credit: number | undefined,
  debit: number | undefined,
  hasAmount: boolean,
): number {
  if (credit && debit) throw new RowFault('credit');
  const ofColumns = credit || (debit ? -Math.abs(debit) : (credit ?? debit));
  // A sum that is there twice counts once.
  if (amount && ofColumns && Math.abs(amount) !== Math.abs(ofColumns)) throw new RowFault('amount');
  const sum = ofColumns || (amount ?? ofColumns);
  if (sum === undefined || Math.abs(sum) > MAX_AMOUNT_MINOR)
    throw new RowFault(hasAmount ? 'amount' : 'credit');
  return sum;
}
