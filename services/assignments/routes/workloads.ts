import type { ApiResponse } from '@arboleda/contracts/api.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { assignmentIdOf } from '../assignment/assignment.ts';
import { type Page, readPage } from '../lists/pages.ts';
import type { AssignmentStore } from '../store.ts';
import { hasRoom, isInRegion, rankFor, type WorkerWithLoad } from '../workers/worker.ts';
import { workloadView } from './views.ts';

type Workloads = ApiResponse<'GET /api/admin/workers/workloads'>;

/** All workers by code; with an order the active ones, best first for it. @throws Problem `not-found` */
export async function workloads(
  store: AssignmentStore,
  clock: () => Date,
  { orderId, ...query }: { orderId?: string | undefined; limit: number; cursor?: string | undefined },
): Promise<Workloads> {
  const now = clock().toISOString();
  const view = async (worker: WorkerWithLoad) => {
    const [visitsDue, treesPlanted] = await Promise.all([
      store.countVisitsDue(worker._id, now),
      store.treesPlanted(worker._id),
    ]);
    return workloadView(worker, { visitsDue, treesPlanted });
  };
  const answer = async (page: Page<unknown>, views: ReturnType<typeof view>[]): Promise<Workloads> => ({
    workers: await Promise.all(views),
    ...(page.nextCursor && { nextCursor: page.nextCursor }),
  });

  if (orderId === undefined) {
    const page = await store.workersByCode(query);
    return answer(
      page,
      page.items.map(async (worker) => view(await store.withLoad(worker))),
    );
  }
  const order = await store.assignments.get(assignmentIdOf(orderId));
  if (!order) throw new Problem('not-found');
  const ranked = rankFor(order, await store.roster());
  const page = await readPage([ranking(ranked)], query);
  return answer(
    page,
    page.items.map(async (worker) => ({
      ...(await view(worker)),
      candidate: {
        inRegion: isInRegion(worker, order),
        hasRoom: hasRoom(worker, order),
        hasIt: order.progress.worker?.workerId === worker._id,
      },
    })),
  );
}

/** The ranking is made anew for each page; a page goes on behind the worker the last one ended with. */
const ranking = (ranked: readonly WorkerWithLoad[]) => ({
  name: 'ranking',
  async read({ limit, after }: { limit: number; after?: readonly string[] }) {
    const start = after ? ranked.findIndex(({ _id }) => _id === after[1]) + 1 : 0;
    return ranked.slice(start, start + limit);
  },
  placeOf: ({ code, _id }: WorkerWithLoad) => [code, _id] as const,
});
