import { Problem } from '@arboleda/contracts/problems.ts';
import type {
  ColumnRole,
  DayOrder,
  StatementDoubt,
  StatementFormat,
  StatementQuestion,
} from '@arboleda/contracts/statement.ts';

/** A row of a bank's statement. */
export interface Movement {
  /** The account as the file names it. */
  account?: string | undefined;
  /** "2026-03-12" */
  day: string;
  /** Negative for a debit. */
  amountMinor: number;
  currency?: string | undefined;
  text: string;
  /** The payer's name; of a debit, the payee's. */
  name?: string | undefined;
  /** The bank's number of the row. */
  number?: string | undefined;
  /** Balance of the account after the row. */
  balanceMinor?: number | undefined;
  /** The bank says that it takes back an earlier row, of the other direction. */
  isReversal?: true | undefined;
  /** Hash of its file, where nothing but day and sum tells the row from others: it is no row of another file. */
  onlyIn?: string | undefined;
}

export interface ColumnChoice {
  column: number;
  role: ColumnRole;
}

/** How an admin said that files with these titles are to be read. */
export interface Layout {
  columns?: readonly ColumnChoice[] | undefined;
  dayOrder?: DayOrder | undefined;
  /** The meaning of each value in the column of directions. Absent in layouts from before there was such a column. */
  directions?: readonly { value: string; isCredit: boolean }[] | undefined;
  /** The year of the last row, where days are written without one. Holds for one file only. */
  year?: number | undefined;
}

/** Why a guess is not believed. */
export interface Doubt {
  kind: StatementDoubt;
  column?: number | undefined;
  /** The file's line, from 1. */
  line?: number | undefined;
  role?: ColumnRole | undefined;
  /** The cell's text. */
  text?: string | undefined;
}

/** A file as it was understood. */
export interface Reading {
  format: StatementFormat;
  encoding?: string;
  separator?: string;
  columns?: { column: number; title: string; role?: ColumnRole; samples: string[] }[];
  /** Titles of the columns; files that share them share a layout. */
  header?: string;
  decimal?: ',' | '.';
  dayOrder?: DayOrder;
  account?: string | undefined;
  movements: Movement[];
  /** Lines that are no movements, shortened. */
  otherLines: string[];
  questions: StatementQuestion[];
  /** Why columns are asked; at most five. */
  doubts?: Doubt[];
  /** Values of the column of directions, as they are understood. */
  directions?: { value: string; isCredit?: boolean }[];
  /** Numbers of rows of earlier files, and of those in this one that replace them. */
  corrections?: { number: string; by: string }[];
}

export interface ReadOptions {
  /** Currency of the account, where the file names none. */
  currency: string;
  /** By header. */
  layouts: Readonly<Record<string, Layout>>;
  /** Said just now; wins over `layouts`. */
  layout?: Layout | undefined;
  /** Number of the configured account: tells it from those of payers. */
  account?: string | undefined;
  /** May tell the year of days that have none. */
  fileName?: string | undefined;
  /** Colombia's day; later ones are refused. Without it all are taken. */
  today?: string | undefined;
}

const MAX_TEXT = 500;

/** One line without control characters. */
export const plain = (text: string, max = MAX_TEXT): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, max)
    .toWellFormed();

/** @throws Problem `statement-foreign-currency` when rows are in another currency than the account */
export function refuseForeign(currencies: Iterable<string | undefined>, own: string): void {
  const foreign = [...currencies].find((one) => one !== undefined && one !== own);
  if (foreign)
    throw new Problem('statement-foreign-currency', {
      fields: [{ path: `currency.${plain(foreign, 20)}`, type: 'statement-foreign-currency' }],
    });
}
