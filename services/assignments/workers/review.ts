import type { Change, ChangeOptions } from '@arboleda/chassis/ports/documents.ts';
import type { Assignment } from '../assignment/assignment.ts';
import { decideRelease } from '../assignment/steps.ts';
import { decideVisitorLeft } from '../growth/notices.ts';
import type { AssignmentStore } from '../store.ts';

/**
 * Looks after the open work of somebody who left or came back: what is assigned to them and not planted waits for
 * somebody else, or does not any more; what is planted stays theirs until an admin decides. Whoever takes their due
 * growth visits over is told of them anew.
 * @returns whether growth visits wait for somebody.
 */
export async function reviewWorker(
  store: AssignmentStore,
  workerId: string,
  clock: () => Date,
): Promise<boolean> {
  const isActive = (await store.workers.get(workerId))?.active ?? false;
  for await (const page of store.assignedPages(workerId)) {
    for (const { _id } of page)
      await store.change(_id, (current) => decideRelease(current, workerId, isActive));
  }
  if (isActive) return false;
  let left = false;
  for await (const page of store.dueVisitPages(workerId, clock().toISOString())) {
    left = true;
    for (const { _id, assignmentId } of page) {
      await store.change(assignmentId, (current) => decideVisitorLeft(current, _id, workerId));
    }
  }
  return left;
}

/** Gives an order to a worker, and looks again: whoever left in the same moment is not to have it. */
export async function handOver(
  store: AssignmentStore,
  assignmentId: string,
  workerId: string,
  decide: (current: Assignment | undefined) => Change<Assignment> | undefined,
  options?: Pick<ChangeOptions, 'comesAgain'>,
): Promise<Assignment | undefined> {
  const given = await store.change(assignmentId, decide, options);
  if ((await store.workers.get(workerId))?.active) return given;
  return store.change(assignmentId, (current) => decideRelease(current, workerId, false));
}
