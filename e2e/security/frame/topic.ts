import type { Stage } from './stage.ts';

/** One way to attack the product, and what must be seen when somebody does. */
export interface Topic {
  name: string;
  run(stage: Stage, report: Report): Promise<void>;
}

/** What was looked at so far, and what was seen that must not be. */
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
export async function runTopic(topic: Topic, stage: Stage): Promise<TopicResult> {
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
    await topic.run(stage, report);
  } catch (error) {
    result.violations.push(`it broke off: ${(error as Error).stack ?? String(error)}`);
  }
  return { ...result, seconds: (performance.now() - startedAt) / 1000 };
}

const shown = (seen: unknown): string =>
  (typeof seen === 'string' ? seen : JSON.stringify(seen)).slice(0, SEEN_CHARACTERS);

/** One row for each topic, and what was seen wrong under it. */
export function tableOf(results: readonly TopicResult[]): string {
  const rows = results.map(({ name, checks, violations, seconds }) =>
    rowOf([name, checks, checks - violations.length, violations.length, `${seconds.toFixed(1)} s`]),
  );
  const sum = (of: (result: TopicResult) => number) => results.reduce((total, one) => total + of(one), 0);
  const [checks, violations] = [sum((one) => one.checks), sum((one) => one.violations.length)];
  const seconds = `${sum((one) => one.seconds).toFixed(0)} s`;
  return [
    rowOf(['topic', 'checks', 'passed', 'violations', 'time']),
    ...rows,
    rowOf(['together', checks, checks - violations, violations, seconds]),
  ].join('\n');
}

const rowOf = ([name, ...cells]: readonly (string | number)[]): string =>
  [String(name).padEnd(16), ...cells.map((cell) => String(cell).padStart(11))].join('');
