import { CURRENCIES } from '@arboleda/contracts/countries.ts';
import type {
  ColumnRole,
  DayOrder,
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
}

export interface ColumnChoice {
  column: number;
  role: ColumnRole;
}

/** How an admin said that files with these titles are to be read. */
export interface Layout {
  columns?: readonly ColumnChoice[] | undefined;
  dayOrder?: DayOrder | undefined;
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
}

export interface ReadOptions {
  /** Currency of the account, where the file names none. */
  currency: string;
  /** By header. */
  layouts: Readonly<Record<string, Layout>>;
  /** Said just now; wins over `layouts`. */
  layout?: Layout | undefined;
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

/** @returns undefined when it is no currency of ours */
export const currencyNamed = (text: string | undefined): string | undefined =>
  CURRENCIES.find((one) => one === text?.trim().toUpperCase());
