import type { Logger } from '@arboleda/chassis/log.ts';
import { decideAssignment } from './assignment.ts';
import type { AssignmentStore } from './store.ts';
import { chooseWorker, freeTrees, workerOf, type WorkerWithLoad } from './worker.ts';

/**
 * Gives waiting orders to workers, oldest first. It runs as one job for all that waits, so choices follow each other
 * and see each other's effect; two replicas at it at the same moment may overrun a capacity by what both give out
 * then, but never give one order to two workers. An order that cannot be written does not hold up the others: it is
 * tried again with the next run.
 */
export async function assignWaiting(
  store: AssignmentStore,
  clock: () => Date,
  logger: Logger,
): Promise<void> {
  let roster = await store.roster();
  for await (const order of store.waiting()) {
    if (roster.every((worker) => freeTrees(worker) < 1)) break;
    const worker = chooseWorker(order, roster);
    if (!worker) continue;
    try {
      const assigned = await store.assignments.change(order._id, (current) =>
        decideAssignment(current, workerOf(worker), clock().toISOString()),
      );
      roster = loaded(roster, assigned?.progress.worker?.workerId, order.trees);
    } catch (err) {
      logger.error({ err, orderId: order.orderId }, 'order could not be assigned');
    }
  }
  const waiting = await store.countWaiting();
  if (waiting > 0) logger.warn({ waiting }, 'orders wait for a worker with room');
}

/** The roster after somebody, here or on another replica, took these trees. */
const loaded = (
  roster: readonly WorkerWithLoad[],
  workerId: string | undefined,
  trees: number,
): WorkerWithLoad[] =>
  roster.map((worker) =>
    worker._id === workerId
      ? {
          ...worker,
          openTrees: worker.openTrees + trees,
          openAssignments: worker.openAssignments + 1,
        }
      : worker,
  );
