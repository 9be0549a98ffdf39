import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, type Step } from './lanes.ts';
import type { Stages } from './run.ts';

const bin = (path: string) => join('node_modules', path);
const TSC = bin('@typescript/native/bin/tsc');

const types = (name: string, project: string): Step => ({
  name,
  command: [TSC, '--noEmit', '-p', project],
});

const jest = (
  projects: readonly string[],
  reportDir: string,
  workers: number,
  {
    name = projects.join(', '),
    folders = [],
    part,
  }: {
    name?: string;
    folders?: readonly string[];
    /** "1/3": the first third of the test files. */
    part?: string;
  } = {},
): Step => {
  const reportFile = join(reportDir, `${name.replaceAll(/\W+/g, '-')}.json`);
  return {
    name: `tests: ${name}`,
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
      ...(part ? [`--shard=${part}`] : []),
      '--',
      ...folders,
    ],
    reportFile,
  };
};

/** A third of the tests of parts, which are most of the time. */
const component = (third: 1 | 2 | 3, reportDir: string): Step =>
  jest(['component'], reportDir, 1, { name: `component ${third}/3`, part: `${third}/3` });

/** Projects with a tsconfig of their own, beside the root's. */
const OWN_TYPES = ['web', 'e2e'];

/**
 * What "npm test" checks. Types, lint and the fast tests share two cores in three lanes, as who waits for engines leaves room; the
 * browser comes then, two files at a time, because its pages would wait for others.
 */
export const stages: Stages = (reportDir) => [
  [
    [
      types('types', '.'),
      ...OWN_TYPES.filter((folder) => existsSync(join(ROOT, folder, 'tsconfig.json'))).map((folder) =>
        types(`types: ${folder}`, folder),
      ),
      { name: 'lint', command: [bin('eslint/bin/eslint.js'), '.', '--max-warnings', '0'] },
      { name: 'format', command: [bin('prettier/bin/prettier.cjs'), '--check', '.'] },
      jest(['web'], reportDir, 1),
      component(1, reportDir),
    ],
    [jest(['unit'], reportDir, 1), component(2, reportDir)],
    [component(3, reportDir), jest(['api'], reportDir, 1), jest(['security'], reportDir, 1)],
  ],
  [[jest(['browser'], reportDir, 2)]],
];

/**
 * What containers are needed for: the adapters on their engines, the services on them, the manifests; then everything
 * by docker compose, alone.
 */
export const distributedStages: Stages = (reportDir) => [
  [
    [
      jest(['distributed'], reportDir, 1, {
        name: 'adapters',
        folders: ['infra/chassis', 'infra/local', 'services'],
      }),
      jest(['distributed'], reportDir, 1, { name: 'alerts', folders: ['infra/observability'] }),
    ],
    [
      jest(['engines'], reportDir, 1, { name: 'engines' }),
      { name: 'k8s manifests', command: ['infra/k8s/validate.ts'], skippedWhen: 'k8s: skipped' },
    ],
  ],
  [
    [
      jest(['distributed'], reportDir, 1, { name: 'images', folders: ['infra/docker'] }),
      jest(['distributed'], reportDir, 1, { name: 'docker compose', folders: ['e2e'] }),
    ],
  ],
];

export const NO_CONTAINERS: Stages = () => [
  [[{ name: 'distributed tests', command: [], skip: 'no container engine answers: see docs/operations.md' }]],
];
