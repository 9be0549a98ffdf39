import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type Run, withSection } from '../report/page.ts';
import type { Table } from '../report/table.ts';
import type { Figures } from './figures.ts';
import budgets from './budgets.json' with { type: 'json' };

/**
 * Run by `npm run bench -- <name>`. `quick` only checks in seconds that it works: its figures mean nothing. `why` also asks
 * where the cost comes from, where a bench can tell.
 */
export type Bench = (options: { quick: boolean; why: boolean }) => Promise<Figures>;

/** A bench is loaded when it is asked for: it may need what the others do not. One line for each. */
export const BENCHES: Record<string, () => Promise<Bench>> = {
  start: async () => (await import('./start.ts')).startBench,
  visible: async () => (await import('./visible/visible.ts')).visible,
  gateway: async () => (await import('./gateway/gateway.ts')).gateway,
  serve: async () => (await import('./serve/serve.ts')).serve,
  photos: async () => (await import('./photos/photos.ts')).photos,
  web: async () => (await import('./web/web.ts')).web,
  grow: async () => (await import('./grow/grow.ts')).grow,
  statements: async () => (await import('./statements.ts')).statements,
  backup: async () => (await import('./backup.ts')).backup,
  cost: async () => (await import('./cost/cost.ts')).cost,
  checkout: async () => (await import('./checkout/checkout.ts')).checkout,
};

/**
 * The benches to run; every one when none is named.
 * @throws a sentence when one is unknown
 */
export function chosenBenches(names: readonly string[], known: readonly string[]): readonly string[] {
  const unknown = names.filter((name) => name !== 'all' && !known.includes(name));
  if (unknown.length > 0)
    throw new Error(
      `There is no bench "${unknown.join('", "')}". There are: ${[...known, 'all'].join(', ')}.`,
    );
  return names.length === 0 || names.includes('all') ? known : names;
}

/** The tables of a bench, with its budget from budgets.json. */
export function tablesOf({ bench, tables }: Figures): readonly Table[] {
  const rows = (budgets as Record<string, string[][]>)[bench];
  return rows ? [...tables, { title: 'Budget', columns: ['what', 'against', 'held to'], rows }] : tables;
}

const HEADING = `# Performance, as measured

Generated: \`npm run bench -- all --report\` writes every section, \`npm run bench -- serve --report\` one. Competitors run in turn with
Arboleda, in the same run on the same machine; figures are medians with what was seen from least to most. Absolute times
depend on the machine, so compare the ratios. Longer tables are only printed.
`;

/** Puts what a bench has measured in the place of its section of a page. */
export function writeFigures(page: string, figures: Figures, run: Run): void {
  const before = existsSync(page) ? readFileSync(page, 'utf8') : undefined;
  const section = {
    name: figures.bench,
    command: `npm run bench -- ${figures.bench}`,
    run,
    lines: [figures.work],
    tables: tablesOf(figures),
  };
  writeFileSync(page, withSection(before, HEADING, section));
}
