import type { Table } from '../report/table.ts';
import budgets from './budgets.json' with { type: 'json' };

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

export interface Asked {
  benches: string[];
  quick: boolean;
  /** Whether docs/performance.md is written. */
  report: boolean;
  /** A file that gets the figures as JSON. */
  json: string | undefined;
}

/**
 * `serve --quick`, `all --report`, `serve photos --json=figures.json`; every bench when none is named.
 * @throws a sentence when a bench is unknown
 */
export function readArguments(args: readonly string[], known: readonly string[]): Asked {
  const names = args.filter((arg) => !arg.startsWith('--'));
  const unknown = names.filter((name) => name !== 'all' && !known.includes(name));
  if (unknown.length > 0)
    throw new Error(
      `There is no bench "${unknown.join('", "')}". There are: ${[...known, 'all'].join(', ')}.`,
    );
  return {
    benches: names.length === 0 || names.includes('all') ? [...known] : names,
    quick: args.includes('--quick'),
    report: args.includes('--report'),
    json: args.find((arg) => arg.startsWith('--json='))?.slice('--json='.length),
  };
}

/** A bench is loaded when it is asked for: it may need what the others do not. One line for each. */
export const BENCHES: Record<string, () => Promise<Bench>> = {
  start: async () => (await import('./start/start.ts')).startBench,
  visible: async () => (await import('./visible/visible.ts')).visible,
  events: async () => (await import('./events/events.ts')).events,
  gateway: async () => (await import('./gateway/gateway.ts')).gateway,
  serve: async () => (await import('./serve/serve.ts')).serve,
  photos: async () => (await import('./photos/photos.ts')).photos,
  web: async () => (await import('./web/web.ts')).web,
  grow: async () => (await import('./grow/grow.ts')).grow,
  statements: async () => (await import('./statements/statements.ts')).statements,
  cost: async () => (await import('./cost/cost.ts')).cost,
  checkout: async () => (await import('./checkout/checkout.ts')).checkout,
};
