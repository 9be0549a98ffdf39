/** Bounds of one file of a bank. A year of a busy account has about 20,000 rows. */
export const MAX_STATEMENT_BYTES = 20_000_000;
export const MAX_STATEMENT_ROWS = 50_000;

export const STATEMENT_FORMATS = ['csv', 'xlsx', 'ofx', 'camt.053'] as const;
export type StatementFormat = (typeof STATEMENT_FORMATS)[number];

/**
 * Content of a column in a CSV or XLSX file. An `amount` has a sign, or a `direction` in another column; `credit` and
 * `debit` are columns of their own.
 */
export const COLUMN_ROLES = [
  'day',
  'amount',
  'credit',
  'debit',
  'text',
  'name',
  'number',
  'balance',
  'currency',
  'account',
  'direction',
] as const;
export type ColumnRole = (typeof COLUMN_ROLES)[number];

/** How 03/04/2026 is read: `dmy` is 3 April. */
export const DAY_ORDERS = ['dmy', 'mdy', 'ymd'] as const;
export type DayOrder = (typeof DAY_ORDERS)[number];

/** Questions that an admin answers before a file can be imported. */
export const STATEMENT_QUESTIONS = ['columns', 'day-order', 'direction', 'year'] as const;
export type StatementQuestion = (typeof STATEMENT_QUESTIONS)[number];

/**
 * Why the columns of a file are asked. `two-values`: no sum has a sign, and this column may tell which go out;
 * `no-signs`: nor does any column, but this text is that of money out; `moved-cells`: an amount seems to be cut in two; `balance-differs`: the balance does not follow the sums.
 */
export const STATEMENT_DOUBTS = [
  'unreadable',
  'other-account',
  'other-currency',
  'two-values',
  'no-signs',
  'money-without-role',
  'moved-cells',
  'sign-differs',
  'balance-differs',
  'day-ahead',
] as const;
export type StatementDoubt = (typeof STATEMENT_DOUBTS)[number];

/**
 * Lists of rows. `sure`: one order, by reference and sum; `perhaps`: something is missing; `without-order`: money for a
 * rejected or paid order, or kept by an admin; `done`: linked, split or ignored.
 */
export const ROW_LISTS = ['sure', 'perhaps', 'unknown', 'without-order', 'done'] as const;
export type RowList = (typeof ROW_LISTS)[number];

/**
 * Lists of debits. `returns`: may be the return of a credit, and nobody has decided; `others`: money that left for other
 * reasons; `done`: decided, or recognized as a refund that an admin sent by hand.
 */
export const DEBIT_LISTS = ['returns', 'others', 'done'] as const;
export type DebitList = (typeof DEBIT_LISTS)[number];

/**
 * Why a debit may be the return of a credit. `words`: it is marked or worded as a reversal. `amount` alone keeps a credit
 * from being sure; any other reason also holds its order.
 */
export const RETURN_REASONS = ['reference', 'number', 'name', 'text', 'words', 'amount'] as const;
export type ReturnReason = (typeof RETURN_REASONS)[number];

/** Days after a credit in which its money may go back. */
export const RETURN_DAYS = 60;

/** Why a row may pay an order. The last three name what keeps a row with our reference from being sure. */
export const MATCH_REASONS = [
  'reference',
  'amount',
  'name',
  'amount-differs',
  'several-candidates',
  'approved-before',
] as const;
export type MatchReason = (typeof MATCH_REASONS)[number];

/**
 * Choices when the rows of an order add up to less or more than it costs. `wait`: link them and wait for the rest;
 * `give-back`: keep what is too much, or all when it is too little, as money without an order; `change-trees`: approve
 * as many trees as were paid.
 */
export const AMOUNT_CHOICES = ['wait', 'give-back', 'change-trees'] as const;
export type AmountChoice = (typeof AMOUNT_CHOICES)[number];

/** Two letters may differ, and five days lie between the transfer and its row. */
export const NAME_DISTANCE = 2;
export const MATCH_DAYS = 5;

/** Orders that one call approves: each takes its own transaction, and a call must answer in time. */
export const MAX_APPROVED_AT_ONCE = 20;
