import { cpus, release, totalmem, type as osType } from 'node:os';
import { type Table, tablesMarkdown } from './table.ts';

/** Describes the machine. Figures mean nothing without it. */
export function machine(): string {
  const processors = cpus();
  const memoryGib = (totalmem() / 1024 ** 3).toFixed(0);
  return `${processors.length} × ${processors[0]?.model.trim()}, ${memoryGib} GiB, ${osType()} ${release()}, Node ${process.version}`;
}

/** Date, machine and command of a run. */
export interface Run {
  /** ISO date. */
  date: string;
  machine: string;
  /** The command as typed. */
  typed: string;
  minutes?: number;
}

/** The current run. @param typed the command without its arguments. @param startedAt for a run that ends now */
export const runOf = (typed: string, startedAt?: number): Run => ({
  date: new Date().toISOString().slice(0, 10),
  machine: machine(),
  typed: [typed, ...process.argv.slice(2)].join(' '),
  ...(startedAt !== undefined && { minutes: (Date.now() - startedAt) / 60_000 }),
});

/** A section of a page. */
interface PageSection {
  name: string;
  /** The command that owns the section: another run replaces it. */
  command: string;
  run: Run;
  /** The work that the figures were measured on, and more paragraphs. */
  lines: readonly string[];
  tables: readonly Table[];
}

const END = '<!-- end -->';

/**
 * The page with one section replaced; the sections of other commands stay.
 * @param page undefined when there is none yet: it begins with `heading` then
 */
export function withSection(page: string | undefined, heading: string, section: PageSection): string {
  const { name, command, run, lines, tables } = section;
  const text = page ?? heading;
  const begin = `<!-- begin: ${command} -->`;
  const took = run.minutes === undefined ? '' : ` ${run.minutes.toFixed(1)} min,`;
  const ran = `${run.date}, \`${run.typed}\`,${took} on ${run.machine}.`;
  const written = [begin, '', `## ${name}`, '', ran, '', ...lines, ...tablesMarkdown(tables), '', END].join(
    '\n',
  );
  const from = text.indexOf(begin);
  if (from < 0) return `${text.trimEnd()}\n\n${written}\n`;
  return text.slice(0, from) + written + text.slice(text.indexOf(END, from) + END.length);
}
