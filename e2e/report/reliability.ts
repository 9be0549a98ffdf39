import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Run, withSection } from './page.ts';
import type { Table } from './table.ts';

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

const PAGE = fileURLToPath(new URL('../../docs/reliability.md', import.meta.url));

const HEADING = `# Reliability, as measured

Generated: \`npm run reliability -- --long --report\` writes every section, a part's name only that section.
Absolute times depend on the machine. Longer tables, such as every kill and every call, are only printed.
`;

/** Replaces one section of the page. @param page undefined when there is none yet */
export function pageWith(page: string | undefined, section: Section): string {
  const { work, violations } = section;
  const found =
    violations.length === 0
      ? ['No violation.']
      : [`**${violations.length} violations:**`, '', ...violations.map((one) => `- ${one}`)];
  return withSection(page, HEADING, { ...section, lines: [work, '', ...found] });
}

/** Writes a section of docs/reliability.md. */
export function writeReliability(section: Section): void {
  const page = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : undefined;
  writeFileSync(PAGE, pageWith(page, section));
}
