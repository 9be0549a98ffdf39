import { type Assignment, isWaiting } from '@arboleda/assignments/assignment/assignment.ts';
import type { VisitPlace } from '@arboleda/assignments/growth/store.ts';
import { inStep, type ListedVisit, listedVisits } from '@arboleda/assignments/growth/visits.ts';
import type { AssignmentStore } from '@arboleda/assignments/store.ts';
import {
  hasRoom,
  type Need,
  type WorkerProfile,
  WorkerUnavailable,
  type WorkerWithLoad,
} from '@arboleda/assignments/workers/worker.ts';
import type { MemoryRecords } from './records.ts';

/** The store of assignments in memory; loads are counted when they are asked for. */
export function memoryAssignments(
  assignments: MemoryRecords<Assignment>,
  workers: MemoryRecords<WorkerProfile>,
  clock: () => Date,
): AssignmentStore {
  const treesOf = (some: readonly Assignment[]) => some.reduce((sum, { trees }) => sum + trees, 0);
  const roster = (): WorkerWithLoad[] => {
    const all = assignments.all();
    return workers
      .all()
      .filter(({ active }) => active)
      .map((worker) => {
        const own = all.filter(({ progress }) => progress.worker?.workerId === worker._id);
        const open = own.filter(({ progress }) => progress.status !== 'completed');
        const planted = own.filter(({ progress }) => progress.status !== 'assigned');
        return {
          ...worker,
          openAssignments: open.length,
          openTrees: treesOf(open),
          treesPlanted: treesOf(planted),
        };
      });
  };
  const require = (need: Need, { progress, trees }: Assignment) => {
    const worker = roster().find(({ _id }) => _id === progress.worker?.workerId);
    if (!worker || (need === 'room' && !hasRoom(worker, { trees }))) throw new WorkerUnavailable();
  };
  const pageOf = async function* <T>(found: readonly T[], keyOf: (one: T) => string) {
    if (found.length > 0) yield found.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  };
  const waiting = () => assignments.all().filter(isWaiting);
  const visitPages = async function* (
    isSought: (visit: ListedVisit) => boolean,
  ): AsyncGenerator<VisitPlace[]> {
    const found = assignments.all().flatMap((assignment) =>
      listedVisits(assignment)
        .filter(isSought)
        .map(({ visitId }) => ({ visitId, assignmentId: assignment._id })),
    );
    yield* pageOf(found, ({ visitId }) => visitId);
  };

  return {
    assignments,
    workers,
    change: (id, decide, { needs, ...options } = {}) =>
      assignments.change(
        id,
        (current) => {
          const change = decide(current);
          if (change && needs) require(needs, change.document);
          return change && inStep(current, change, clock().toISOString());
        },
        options,
      ),
    roster: async () => roster(),
    async *waitingPages() {
      const keyOf = ({ orderedAt, _id }: Assignment) => `${orderedAt} ${_id}`;
      yield* pageOf(
        waiting().filter((one) => one.isReleased),
        keyOf,
      );
      yield* pageOf(
        waiting().filter((one) => !one.isReleased),
        keyOf,
      );
    },
    countWaiting: async () => waiting().length,
    assignedPages: (workerId) =>
      pageOf(
        assignments
          .all()
          .filter(({ progress }) => progress.status === 'assigned' && progress.worker?.workerId === workerId),
        ({ progress, _id }) => `${progress.assignedAt} ${_id}`,
      ),
    dueVisitPages: (workerId, now) =>
      visitPages((visit) => visit.phase === 'open' && visit.workerId === workerId && visit.dueAt! <= now),
    noticePages: (now) => visitPages(({ noticeAt }) => noticeAt !== undefined && noticeAt <= now),
  };
}
