import type { Collection, Documents } from '@arboleda/chassis/ports/documents.ts';
import { PLANTED_STATUSES } from '@arboleda/contracts/order.ts';
import { type Assignment, isStaffed, type Staffed } from './assignment.ts';
import type { WorkerProfile, WorkerWithLoad } from './worker.ts';

/** A worker sees the newest of what is completed; what is open is bounded by capacity. */
const MAX_COMPLETED_SHOWN = 200;
const WAITING_PAGE = 200;
const WAITING = { 'progress.status': 'pending' };
const OF_WORKER = { 'progress.worker.workerId': 'asc', 'progress.status': 'asc' } as const;
const OPEN = { in: ['assigned', 'planted'] } as const;

export interface AssignmentStats {
  totalAssignments: number;
  treesPlanted: number;
  completedOrders: number;
  pendingAssignments: number;
}

export interface AssignmentStore {
  assignments: Collection<Assignment>;
  workers: Collection<WorkerProfile>;
  /** Active workers with what is open now. */
  roster(): Promise<WorkerWithLoad[]>;
  /** Trees that are assigned to or planted by a worker and not completed, now. */
  openTrees(workerId: string): Promise<number>;
  /** Orders without a worker, oldest first, some at a time. */
  waitingPages(): AsyncGenerator<Assignment[]>;
  countWaiting(): Promise<number>;
  /** What is to be done first: assigned, oldest first; planted; then completed, newest first. */
  ofWorker(workerId: string): Promise<Staffed[]>;
  stats(workerId: string): Promise<AssignmentStats>;
}

export async function openStore(documents: Documents): Promise<AssignmentStore> {
  const workers = await documents.collection<WorkerProfile>({ name: 'workers', indexes: [] });
  const assignments = await documents.collection<Assignment>({
    name: 'assignments',
    indexes: [
      { name: 'waiting', fields: { 'progress.status': 'asc', orderedAt: 'asc', _id: 'asc' } },
      { name: 'of_worker', fields: { ...OF_WORKER, 'progress.assignedAt': 'asc', _id: 'asc' } },
      { name: 'done_by_worker', fields: { ...OF_WORKER, 'progress.completedAt': 'asc', _id: 'asc' } },
    ],
  });
  const mine = (workerId: string) => ({ 'progress.worker.workerId': workerId });
  const listOf = (workerId: string, status: string, direction: 'asc' | 'desc', limit?: number) =>
    assignments.find({
      where: { ...mine(workerId), 'progress.status': status },
      sort: [
        { field: status === 'completed' ? 'progress.completedAt' : 'progress.assignedAt', direction },
        { field: '_id', direction },
      ],
      ...(limit && { limit }),
    });

  const openTrees = (workerId: string) =>
    assignments.sum('trees', { ...mine(workerId), 'progress.status': OPEN });

  return {
    assignments,
    workers,
    openTrees,

    async roster() {
      const active = await workers.find({ where: { active: true } });
      const openAssignments = await assignments.countBy('progress.worker.workerId', {
        'progress.status': OPEN,
      });
      return Promise.all(
        active.map(async (worker) => ({
          ...worker,
          openAssignments: openAssignments[worker._id] ?? 0,
          openTrees: await openTrees(worker._id),
        })),
      );
    },

    countWaiting: () => assignments.count(WAITING),

    async *waitingPages() {
      const sort = [
        { field: 'orderedAt', direction: 'asc' },
        { field: '_id', direction: 'asc' },
      ] as const;
      let after: readonly [string, string] | undefined;
      for (;;) {
        const page = await assignments.find({
          ...{ where: WAITING, sort, limit: WAITING_PAGE },
          ...(after && { after }),
        });
        const last = page.at(-1);
        if (!last) return;
        yield page;
        after = [last.orderedAt, last._id];
      }
    },

    async ofWorker(workerId) {
      const lists = await Promise.all([
        listOf(workerId, 'assigned', 'asc'),
        listOf(workerId, 'planted', 'asc'),
        listOf(workerId, 'completed', 'desc', MAX_COMPLETED_SHOWN),
      ]);
      return lists.flat().filter(isStaffed);
    },

    async stats(workerId) {
      const [counts, treesPlanted] = await Promise.all([
        assignments.countBy('progress.status', mine(workerId)),
        assignments.sum('trees', { ...mine(workerId), 'progress.status': { in: PLANTED_STATUSES } }),
      ]);
      return {
        totalAssignments: Object.values(counts).reduce((sum, count) => sum + count, 0),
        treesPlanted,
        completedOrders: counts.completed ?? 0,
        pendingAssignments: counts.assigned ?? 0,
      };
    },
  };
}
