import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { withSection } from './page.ts';
import { type Table, tablesMarkdown } from './table.ts';

/** A section of docs/reliability.md. */
export interface Section {
  /** Its heading. */
  name: string;
  /** The command that owns the section: another run replaces it. */
  command: string;
  /** The work that the figures were measured on, in a sentence. */
  work: string;
  tables: readonly Table[];
  /** One sentence for each violation. */
  violations: readonly string[];
  run: Run;
}

/** Date, machine and command of a run. */
export interface Run {
  /** ISO date. */
  date: string;
  machine: string;
  /** The command as typed. */
  typed: string;
  minutes: number;
}

const PAGE = fileURLToPath(new URL('../../docs/reliability.md', import.meta.url));

const HEADING = `# Reliability and security, as measured

Generated: \`npm run reliability -- --long --report\` and \`npm run security -- --report\` write every section, a part's name only
that section. Absolute times depend on the machine. Longer tables, such as every kill and every call, are only printed.
`;

/** Replaces one section of the page. @param page undefined when there is none yet */
export function pageWith(page: string | undefined, section: Section): string {
  const { name, command, work, tables, violations, run } = section;
  const lines = [
    `## ${name}`,
    '',
    `${run.date}, \`${run.typed}\`, ${run.minutes.toFixed(1)} min, on ${run.machine}.`,
    '',
    work,
    '',
    violations.length === 0 ? 'No violation.' : `**${violations.length} violations:**`,
    ...(violations.length === 0 ? [] : ['', ...violations.map((one) => `- ${one}`)]),
    ...tablesMarkdown(tables),
  ];
  return withSection(page, HEADING, command, lines);
}

/** Writes a section of docs/reliability.md. */
export function writeReliability(section: Section): void {
  const page = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : undefined;
  writeFileSync(PAGE, pageWith(page, section));
}

/** The run that ends now. @param typed the command without its arguments */
export const runOf = (typed: string, machine: string, startedAt: number): Run => ({
  date: new Date().toISOString().slice(0, 10),
  machine,
  typed: [typed, ...process.argv.slice(2)].join(' '),
  minutes: (Date.now() - startedAt) / 60_000,
});
