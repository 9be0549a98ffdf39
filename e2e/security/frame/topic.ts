import type { Section } from '../../report/reliability.ts';
import type { Table } from '../../report/table.ts';
import type { Target } from './target.ts';

/** One way to attack the product, and what must be seen when somebody does. */
export interface Topic {
  name: string;
  run(target: Target, report: Report): Promise<void>;
}

/** Checks so far, and violations. */
export interface Report {
  /** One thing looked at. @param seen what was there in the place of what must be */
  check(what: string, holds: boolean, seen?: unknown): void;
  /** A figure for people who read the run. */
  note(line: string): void;
}

export interface TopicResult {
  name: string;
  checks: number;
  violations: string[];
  notes: string[];
  seconds: number;
}

const SEEN_CHARACTERS = 240;

/** Looks at everything, also after a violation; a topic that breaks off is one. */
export async function runTopic(topic: Topic, target: Target): Promise<TopicResult> {
  const startedAt = performance.now();
  const result: TopicResult = { name: topic.name, checks: 0, violations: [], notes: [], seconds: 0 };
  const report: Report = {
    check(what, holds, seen) {
      result.checks++;
      if (!holds) result.violations.push(seen === undefined ? what : `${what}: ${shown(seen)}`);
    },
    note: (line) => void result.notes.push(line),
  };
  try {
    await topic.run(target, report);
  } catch (error) {
    result.violations.push(`it broke off: ${(error as Error).stack ?? String(error)}`);
  }
  return { ...result, seconds: (performance.now() - startedAt) / 1000 };
}

const shown = (seen: unknown): string =>
  (typeof seen === 'string' ? seen : JSON.stringify(seen)).slice(0, SEEN_CHARACTERS);

/** One row for each topic, and what all of them come to. */
export function tableOf(results: readonly TopicResult[]): Table {
  const sum = (of: (result: TopicResult) => number) => results.reduce((total, one) => total + of(one), 0);
  const row = (name: string, checks: number, violations: number, seconds: number) => [
    name,
    checks,
    checks - violations,
    violations,
    `${seconds.toFixed(1)} s`,
  ];
  return {
    title: 'What was looked at',
    columns: ['topic', 'checks', 'passed', 'violations', 'time'],
    rows: [
      ...results.map(({ name, checks, violations, seconds }) =>
        row(name, checks, violations.length, seconds),
      ),
      row(
        'together',
        sum((one) => one.checks),
        sum((one) => one.violations.length),
        sum((one) => one.seconds),
      ),
    ],
  };
}

/** The section of a run: table, figures, and violations with their topics. */
export const sectionOf = (results: readonly TopicResult[]): Omit<Section, 'run'> => ({
  name: 'security',
  command: 'npm run security',
  work: 'A copy of the product, attacked through its gateway with everybody’s accounts, and looked into: what it answers, keeps, logs and is made of.',
  tables: [
    tableOf(results),
    {
      title: 'Figures',
      columns: ['topic', 'figure'],
      rows: results.flatMap(({ name, notes }) => notes.map((note) => [name, note])),
      isDetail: true,
    },
  ],
  violations: results.flatMap(({ name, violations }) => violations.map((one) => `${name}: ${one}`)),
});
