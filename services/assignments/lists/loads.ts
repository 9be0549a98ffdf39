import type { Collection } from '@arboleda/chassis/ports/documents.ts';
import { PLANTED_STATUSES } from '@arboleda/contracts/order.ts';
import type { Assignment } from '../assignment/assignment.ts';
import type { WorkerProfile, WorkerWithLoad } from '../workers/worker.ts';
import { ofWorker, WORKER } from './assignments.ts';
import { type Page, type PageQuery, readPage } from './pages.ts';

export interface Loads {
  /** Active workers with what is open now. */
  roster(): Promise<WorkerWithLoad[]>;
  /** Trees that are assigned to or planted by a worker and not completed, now. */
  openTrees(workerId: string): Promise<number>;
  withLoad(worker: WorkerProfile): Promise<WorkerWithLoad>;
  /** All that somebody ever planted. */
  treesPlanted(workerId: string): Promise<number>;
  /** All workers by code. */
  workersByCode(query: PageQuery<WorkerProfile>): Promise<Page<WorkerProfile>>;
}

const OPEN = { 'progress.status': { in: ['assigned', 'planted'] } } as const;

export function loads(assignments: Collection<Assignment>, workers: Collection<WorkerProfile>): Loads {
  const openTrees = (workerId: string) => assignments.sum('trees', { ...ofWorker(workerId), ...OPEN });
  const byCode = {
    name: 'code',
    read: (query: { limit: number; after?: readonly string[] }) =>
      workers.find({
        sort: [
          { field: 'code', direction: 'asc' },
          { field: '_id', direction: 'asc' },
        ],
        ...query,
      }),
    placeOf: ({ code, _id }: WorkerProfile) => [code, _id] as const,
  };
  return {
    openTrees,

    async roster() {
      const active = await workers.find({ where: { active: true } });
      if (active.length === 0) return [];
      const open = await assignments.figuresBy(WORKER, ['trees'], OPEN);
      return active.map((worker) => {
        const { count = 0, sums } = open[worker._id] ?? {};
        return { ...worker, openAssignments: count, openTrees: sums?.trees ?? 0 };
      });
    },

    async withLoad(worker) {
      const [trees, openAssignments] = await Promise.all([
        openTrees(worker._id),
        assignments.count({ ...ofWorker(worker._id), ...OPEN }),
      ]);
      return { ...worker, openTrees: trees, openAssignments };
    },

    treesPlanted: (workerId) =>
      assignments.sum('trees', { ...ofWorker(workerId), 'progress.status': { in: PLANTED_STATUSES } }),

    workersByCode: (query) => readPage([byCode], query),
  };
}
