import type { Collection } from '@arboleda/chassis/ports/documents.ts';
import { PLANTED_STATUSES, shortId } from '@arboleda/contracts/order.ts';
import { mentions } from '@arboleda/contracts/search.ts';
import { type Assignment, isStaffed, placeOf, type Staffed } from '../assignment/assignment.ts';
import { batchesOf, type Page, type PageQuery, readPage, type Section } from './pages.ts';

type FieldStatus = Staffed['progress']['status'];

export interface AssignmentStats {
  totalAssignments: number;
  treesPlanted: number;
  completedOrders: number;
  pendingAssignments: number;
}

export interface AssignmentLists {
  /** Orders that wait for a worker, some at a time, each kind oldest first: those whose worker left, then new ones. */
  waitingPages(): AsyncGenerator<Assignment[]>;
  countWaiting(): Promise<number>;
  /** What is assigned to somebody and not planted, some at a time. */
  assignedPages(workerId: string): AsyncGenerator<Assignment[]>;
  /** What is to be done first: assigned, oldest first; planted; then completed, newest first. */
  ofWorker(
    workerId: string,
    query: Omit<PageQuery<Staffed>, 'keep'> & { status?: FieldStatus | undefined; q?: string | undefined },
  ): Promise<Page<Staffed>>;
  stats(workerId: string): Promise<AssignmentStats>;
}

const WAITING = { 'progress.status': 'pending' };
const RELEASED = { isReleased: true };
const ORDERED = ['orderedAt', ({ orderedAt }: Assignment) => orderedAt] as const;
const ASSIGNED = ['progress.assignedAt', ({ progress }: Assignment) => progress.assignedAt] as const;

export const WORKER = 'progress.worker.workerId';
export const ofWorker = (workerId: string) => ({ [WORKER]: workerId });

export function assignmentLists(assignments: Collection<Assignment>): AssignmentLists {
  const section = (workerId: string, status: FieldStatus): Section<Staffed> => {
    const date = status === 'completed' ? 'completedAt' : 'assignedAt';
    const direction = status === 'completed' ? 'desc' : 'asc';
    return {
      name: status,
      async read(query) {
        const found = await assignments.find({
          where: { ...ofWorker(workerId), 'progress.status': status },
          sort: [
            { field: `progress.${date}`, direction },
            { field: '_id', direction },
          ],
          ...query,
        });
        return found.filter(isStaffed);
      },
      placeOf: ({ progress, _id }) => [progress[date] ?? '', _id],
    };
  };

  return {
    async *waitingPages() {
      yield* batchesOf(assignments, RELEASED, ORDERED);
      yield* batchesOf(assignments, WAITING, ORDERED);
    },

    countWaiting: async () => (await assignments.count(WAITING)) + (await assignments.count(RELEASED)),

    assignedPages: (workerId) =>
      batchesOf(assignments, { ...ofWorker(workerId), 'progress.status': 'assigned' }, ASSIGNED),

    ofWorker(workerId, { status, q, ...query }) {
      const statuses = status ? [status] : (['assigned', 'planted', 'completed'] as const);
      const sections = statuses.map((one) => section(workerId, one));
      return readPage(sections, { ...query, ...(q && { keep: mentioning(q) }) });
    },

    async stats(workerId) {
      const [counts, treesPlanted] = await Promise.all([
        assignments.countBy('progress.status', ofWorker(workerId)),
        assignments.sum('trees', { ...ofWorker(workerId), 'progress.status': { in: PLANTED_STATUSES } }),
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

/** Whether what somebody types is part of what they see of an assignment; accents and capitals do not matter. */
export const mentioning =
  (q: string) =>
  (assignment: Staffed): boolean =>
    [
      assignment.orderId,
      shortId(assignment.orderId),
      assignment.customer.name,
      assignment.customer.email,
      placeOf(assignment),
    ].some((text) => mentions(text, q));
