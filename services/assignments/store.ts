import type { Change, Collection, Documents } from '@arboleda/chassis/ports/documents.ts';
import type { Assignment } from './assignment/assignment.ts';
import { inStep } from './growth/in-step.ts';
import type { VisitRow } from './growth/rows.ts';
import { type AssignmentLists, assignmentLists } from './lists/assignments.ts';
import { type VisitLists, visitLists } from './lists/visits.ts';
import { type Loads, loads } from './lists/loads.ts';
import type { WorkerProfile } from './workers/worker.ts';

export interface AssignmentStore extends AssignmentLists, VisitLists, Loads {
  assignments: Pick<Collection<Assignment>, 'get' | 'find'>;
  workers: Collection<WorkerProfile>;
  /** What the lists of visits stand on: written by their projection alone. */
  visits: Collection<VisitRow>;
  /** The one way in which an assignment changes: its growth visits follow every decision. */
  change: Collection<Assignment>['change'];
}

const OF_WORKER = { 'progress.worker.workerId': 'asc', 'progress.status': 'asc' } as const;

export async function openStore(documents: Documents, clock: () => Date): Promise<AssignmentStore> {
  const workers = await documents.collection<WorkerProfile>({
    name: 'workers',
    indexes: [
      { name: 'active', fields: { active: 'asc', _id: 'asc' } },
      { name: 'code', fields: { code: 'asc', _id: 'asc' } },
    ],
  });
  const visits = await documents.collection<VisitRow>({
    name: 'visits',
    indexes: [
      { name: 'open_of_worker', fields: { workerId: 'asc', phase: 'asc', dueAt: 'asc', _id: 'asc' } },
      { name: 'done_by_worker', fields: { workerId: 'asc', phase: 'asc', doneAt: 'asc', _id: 'asc' } },
      { name: 'notices', fields: { noticeAt: 'asc', _id: 'asc' } },
      { name: 'open_by_age', fields: { phase: 'asc', dueAt: 'asc', _id: 'asc' } },
    ],
  });
  const stored = await documents.collection<Assignment>({
    name: 'assignments',
    indexes: [
      { name: 'waiting', fields: { 'progress.status': 'asc', orderedAt: 'asc', _id: 'asc' } },
      { name: 'released', fields: { isReleased: 'asc', orderedAt: 'asc', _id: 'asc' } },
      { name: 'of_worker', fields: { ...OF_WORKER, 'progress.assignedAt': 'asc', _id: 'asc' } },
      { name: 'done_by_worker', fields: { ...OF_WORKER, 'progress.completedAt': 'asc', _id: 'asc' } },
      { name: 'updated', fields: { updatedAt: 'asc', _id: 'asc' } },
    ],
    tallies: [{ name: 'workload', by: ['progress.worker.workerId', 'progress.status'], sums: ['trees'] }],
  });
  const assignments: Collection<Assignment> = {
    ...stored,
    change(id, decide, options) {
      const now = clock().toISOString();
      const decided = (current: Assignment | undefined): Change<Assignment> | undefined => {
        const change = decide(current);
        return change && inStep(current, change, now);
      };
      return stored.change(id, decided, options);
    },
  };
  return {
    assignments,
    workers,
    visits,
    change: assignments.change,
    ...assignmentLists(assignments),
    ...visitLists(visits),
    ...loads(assignments, workers),
  };
}
