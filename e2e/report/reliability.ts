import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { PartResult } from '../reliability/part.ts';
import { type Run, withSection } from './page.ts';

const PAGE = fileURLToPath(new URL('../../docs/reliability.md', import.meta.url));

const HEADING = `# Reliability, as measured

Generated: \`npm run reliability -- --long --report\` writes every section, a part's name only that section.
Absolute times depend on the machine. Longer tables, such as every kill and every call, are only printed.
`;

/** Replaces the section of one part. @param page undefined when there is none yet */
export function pageWith(page: string | undefined, result: PartResult, run: Run): string {
  const { part: name, work, tables, violations } = result;
  const found =
    violations.length === 0
      ? ['No violation.']
      : [`**${violations.length} violations:**`, '', ...violations.map((one) => `- ${one}`)];
  const command = `npm run reliability -- ${name}`;
  return withSection(page, HEADING, { name, command, run, lines: [work, '', ...found], tables });
}

/** Writes the section of one part. */
export function writeReliability(result: PartResult, run: Run): void {
  const page = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : undefined;
  writeFileSync(PAGE, pageWith(page, result, run));
}
