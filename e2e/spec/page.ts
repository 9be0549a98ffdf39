import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Reference, Requirement, Section } from './requirement.ts';
import { BAD_DAYS } from './bad-days.ts';
import { SCREENS_AND_ROUTES } from './section-2.ts';
import { VALIDATION } from './section-5.ts';
import { ERRORS } from './section-8.ts';
import { CONSTANTS } from './section-9.ts';

const ROOT = join(import.meta.dirname, '..', '..');
export const SECTIONS: readonly Section[] = [SCREENS_AND_ROUTES, VALIDATION, ERRORS, CONSTANTS, BAD_DAYS];
export const REQUIREMENTS: readonly Requirement[] = SECTIONS.flatMap(({ requirements }) => requirements);

/** The names of all tests of a file, as its code writes them. */
export function testNames(code: string): Set<string> {
  const calls = code.matchAll(
    /\b(?:test|it)(?:\.(?:each|concurrent)[^'"`]*?)?\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gs,
  );
  // Tests of a table: `])('name', …`
  const ofTables = code.matchAll(/\](?: as const)?\)\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gs);
  return new Set([...calls, ...ofTables].map(([, , name]) => name!.replaceAll(/\\(['"`])/g, '$1')));
}

/** References to missing tests. */
export async function missingTests(requirements: readonly Requirement[]): Promise<string[]> {
  const wanted = requirements.flatMap(({ shownBy }) => shownBy);
  const names = new Map<string, Set<string>>();
  for (const { file } of wanted) {
    if (names.has(file)) continue;
    const code = await readFile(join(ROOT, file), 'utf8').catch(() => '');
    names.set(file, testNames(code));
  }
  return [
    ...new Set(
      wanted
        .filter(({ file, name }) => !names.get(file)!.has(name))
        .map(({ file, name }) => `${file}: ${name}`),
    ),
  ];
}

/** Each requirement, and the tests that show it, as Markdown. */
export const specPage = (): string => `# The product specification, and what shows it

What sections 2, 5, 8 and 9 of the specification ask for, in our words, and the tests that show it; then what goes wrong in
people’s hands.

${SECTIONS.map(sectionText).join('\n\n')}
`;

const sectionText = ({ title, requirements }: Section): string =>
  [
    `## ${title}`,
    '',
    '| it asks for | shown by |',
    '| --- | --- |',
    ...requirements.map(({ says, shownBy }) => `| ${cell(says)} | ${shownBy.map(link).join('<br>')} |`),
  ].join('\n');

const link = ({ file, name }: Reference): string => `[${file.split('/').at(-1)}](../${file}): ${cell(name)}`;

const cell = (text: string): string => text.replaceAll('|', '\\|');
