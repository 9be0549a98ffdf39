import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, type Step } from './lanes.ts';

const bin = (path: string) => join('node_modules', path);
const TSC = bin('typescript/bin/tsc');

const types = (name: string, project: string): Step => ({
  name,
  command: [TSC, '--noEmit', '-p', project],
});

const jest = (projects: readonly string[], reportDir: string, workers: number): Step => {
  const reportFile = join(reportDir, `${projects.join('-')}.json`);
  return {
    name: `tests: ${projects.join(', ')}`,
    command: [
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      bin('jest/bin/jest.js'),
      '--selectProjects',
      ...projects,
      '--json',
      `--outputFile=${reportFile}`,
      `--maxWorkers=${workers}`,
      '--silent',
    ],
    reportFile,
  };
};

/** Projects with a tsconfig of their own, beside the root's. */
const OWN_TYPES = ['web', 'e2e'];

/**
 * What "npm test" checks. Types, lint and the fast tests share two cores; the browser comes last and alone, because
 * it measures a page that others would slow down.
 */
export const stages = (reportDir: string): readonly (readonly Step[])[][] => [
  [
    [
      types('types', '.'),
      ...OWN_TYPES.filter((folder) => existsSync(join(ROOT, folder, 'tsconfig.json'))).map((folder) =>
        types(`types: ${folder}`, folder),
      ),
      { name: 'lint', command: [bin('eslint/bin/eslint.js'), '.', '--max-warnings', '0'] },
      { name: 'format', command: [bin('prettier/bin/prettier.cjs'), '--check', '.'] },
      jest(['web'], reportDir, 1),
    ],
    [jest(['unit'], reportDir, 1), jest(['component'], reportDir, 1)],
  ],
  [[jest(['browser'], reportDir, 1)]],
];
