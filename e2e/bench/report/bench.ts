import type { Table } from '../../report/table.ts';
import budgets from '../budgets.json' with { type: 'json' };

/** What `npm run bench -- <name>` runs. `quick` proves in a few seconds that it works, and its figures say nothing. */
export type Bench = (options: { quick: boolean }) => Promise<Figures>;

/** What a bench has measured. The frame prints it, and writes it into docs/performance.md when asked to. */
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
  /** Of y: "requests a second". */
  unit: string;
  /** What x is, when its values do not say it themselves: "orders". */
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

/** What a bench measured, with the budget it is held to, from budgets.json. */
export function tablesOf({ bench, tables }: Figures): readonly Table[] {
  const rows = (budgets as Record<string, string[][]>)[bench];
  return rows ? [...tables, { title: 'Budget', columns: ['what', 'against', 'held to'], rows }] : tables;
}
