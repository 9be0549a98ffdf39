import type { Assignment, Holding, OwnStep } from './assignment.ts';
import type { Progress } from './progress.ts';
import { follow } from './steps.ts';

/** Who had it and who has it, oldest first. */
export const holdingsOf = (assignment: Assignment): Holding[] =>
  holdingsAfter(
    assignment,
    assignment.steps.filter((step) => step.isLive),
  );

/** The confirmed history, and what these own steps add to it. */
export function holdingsAfter({ confirmed, history }: Assignment, steps: readonly OwnStep[]): Holding[] {
  const holdings = [...history];
  let before: Progress = confirmed;
  for (const step of steps) {
    const after = follow(before, step);
    holdings.push(...heldFrom(before, after, step));
    before = after;
  }
  return holdings;
}

/** Whether a decision gave it to somebody else, or to nobody. */
export function heldFrom(
  before: Progress,
  { worker }: Progress,
  decision: Omit<Holding, 'worker'>,
): Holding[] {
  if (worker?.workerId === before.worker?.workerId) return [];
  const { at, by, reason } = decision;
  return [{ at, by, ...(worker && { worker }), ...(reason && { reason }) }];
}
