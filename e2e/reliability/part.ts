import type { Table } from '../report/table.ts';

/** Run by `npm run reliability -- <name>`. */
export interface Part {
  run(options: RunOptions): Promise<PartResult>;
}

export interface RunOptions {
  /** Seconds instead of minutes; the default. */
  short: boolean;
  /** Prints progress, a line at a time. */
  print(line: string): void;
  /** Options after the part's name: `--kills=500` is `{ kills: '500' }`. */
  settings: Readonly<Record<string, string>>;
}

export interface PartResult {
  part: string;
  /** The work that the figures were measured on, in a sentence. */
  work: string;
  tables: readonly Table[];
  /** One sentence for each violation. */
  violations: readonly string[];
}
