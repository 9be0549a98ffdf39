import { withSection as withSectionOf } from '../../report/page.ts';
import { tableMarkdown } from '../../report/table.ts';
import type { PartResult } from './part.ts';

/** What a run was: figures mean nothing without it. */
export interface Run {
  /** ISO date. */
  date: string;
  machine: string;
  /** As it was typed. */
  command: string;
  minutes: number;
}

const HEADING = `# Reliability, as measured

Written by \`npm run chaos\`, each section by a run of that part: \`npm run chaos -- all\` writes every section, and
\`--report\` behind the name of one part writes that section. What was found and mended is in [findings](findings.md). Absolute
times are those of the machine that is named, which other work may have shared.
`;

function section(result: PartResult, run: Run): string[] {
  const { part, work, tables, violations } = result;
  return [
    `## ${part}`,
    '',
    `${run.date}, \`${run.command}\`, ${run.minutes.toFixed(1)} min, on ${run.machine}.`,
    '',
    work,
    '',
    violations.length === 0 ? 'No violation.' : `**${violations.length} violations:**`,
    ...(violations.length === 0 ? [] : ['', ...violations.map((one) => `- ${one}`)]),
    ...tables.flatMap((table) => ['', tableMarkdown(table)]),
  ];
}

/** The page with a part's section anew; the sections of other parts stay as they are. */
export const withSection = (page: string | undefined, result: PartResult, run: Run): string =>
  withSectionOf(page, HEADING, `npm run chaos -- ${result.part}`, section(result, run));
