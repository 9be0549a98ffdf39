import type { Table } from '../../report/table.ts';
import budgets from '../budgets.json' with { type: 'json' };

/** Run by `npm run bench -- <name>`. `quick` only checks in seconds that it works: its figures mean nothing. */
export type Bench = (options: { quick: boolean }) => Promise<Figures>;

/** Results of a bench: printed, and written into docs/performance.md with `--report`. */
export interface Figures {
  bench: string;
  /** The work that was measured, in a sentence or two: how much of what, in which rounds, on which cores. */
  work: string;
  tables: readonly Table[];
  plot?: Plot;
}

export interface Plot {
  /** Bars stand beside each other for each x; lines are for an x that grows, on a log axis when it grows tenfold. */
  kind: 'bars' | 'lines';
  /** Unit of y: "requests a second". */
  unit: string;
  /** Label of x, when its values need one: "orders". */
  x?: string;
  series: readonly Series[];
}

export interface Series {
  name: string;
  points: readonly Point[];
}

export interface Point {
  x: string | number;
  y: number;
  /** The least and the most that were seen. */
  low?: number;
  high?: number;
}

/** The tables of a bench, with its budget from budgets.json. */
export function tablesOf({ bench, tables }: Figures): readonly Table[] {
  const rows = (budgets as Record<string, string[][]>)[bench];
  return rows ? [...tables, { title: 'Budget', columns: ['what', 'against', 'held to'], rows }] : tables;
}
