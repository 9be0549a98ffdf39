import type { Logger } from '@arboleda/chassis/log.ts';
import type { Assignment } from '../assignment/assignment.ts';
import { decideAssignment, decideRelease } from '../assignment/steps.ts';
import type { AssignmentStore } from '../store.ts';
import { handOver } from './review.ts';
import { chooseWorker, freeTrees, workerOf, type WorkerWithLoad } from './worker.ts';

/** Operators are told at most so often how many orders wait: with nobody to plant, each order would say so. */
const TELL_EVERY_MS = 10_000;

/** Gives waiting orders to workers, and tells operators when some have to wait. */
export function openDispatch(store: AssignmentStore, clock: () => Date, logger: Logger): () => Promise<void> {
  let toldMs = -Infinity;
  return async () => {
    const isAll = await assignWaiting(store, clock, logger);
    if (isAll || performance.now() - toldMs < TELL_EVERY_MS) return;
    toldMs = performance.now();
    const waiting = await store.countWaiting();
    if (waiting > 0) logger.warn({ waiting }, 'orders wait for a worker with room');
  };
}

/**
 * Gives waiting orders to workers, oldest first. It runs as one job for all that waits, so choices follow each other
 * and see each other's effect, and workload is what the assignments say: nothing is reserved that a crash could leave
 * behind. Two replicas at it in the same moment never give one order to two workers; they may overrun a capacity by
 * one order, when both give within the moment between the last look and the write.
 * An order that cannot be written does not hold up the others: it is tried again with the next run.
 * @returns whether all have somebody now.
 */
async function assignWaiting(store: AssignmentStore, clock: () => Date, logger: Logger): Promise<boolean> {
  let roster: readonly WorkerWithLoad[] = [];
  /** Whether it is as it was read a moment ago. */
  let isRead = false;
  let isAll = true;
  const look = async () => {
    roster = await store.roster();
    isRead = true;
  };
  const hasSomebody = async (order: Assignment): Promise<boolean> => {
    if (await staysWith(store, order, roster)) return true;
    let worker = chooseWorker(order, roster);
    if (worker && !isRead && (await store.openTrees(worker._id)) !== worker.openTrees) {
      // Somebody else gave or completed something meanwhile.
      await look();
      worker = chooseWorker(order, roster);
    }
    if (!worker) return false;
    isRead = false;
    if (await give(store, order, worker, clock().toISOString()))
      roster = loaded(roster, worker._id, order.trees);
    else await look();
    return true;
  };
  const goThrough = async (page: readonly Assignment[]) => {
    // After the page: whoever registered before an order was bought may have it.
    await look();
    for (const order of page) {
      try {
        if (!(await hasSomebody(order))) isAll = false;
      } catch (err) {
        isAll = false;
        logger.error({ err, orderId: order.orderId }, 'an order could not be assigned');
      }
    }
  };
  for await (const page of store.waitingPages()) {
    await goThrough(page);
    if (roster.every((worker) => freeTrees(worker) === 0)) return false;
  }
  return isAll;
}

/** Whose worker left and is back, keeps them. */
async function staysWith(
  store: AssignmentStore,
  { _id, isReleased, progress: { worker } }: Assignment,
  roster: readonly WorkerWithLoad[],
): Promise<boolean> {
  if (!isReleased || !worker || !roster.some((one) => one._id === worker.workerId)) return false;
  await store.change(_id, (current) => decideRelease(current, worker.workerId, true));
  return true;
}

/** @returns false when somebody else was faster. */
async function give(
  store: AssignmentStore,
  order: Assignment,
  worker: WorkerWithLoad,
  at: string,
): Promise<boolean> {
  let given = false;
  const decide = (current: Assignment | undefined) => {
    const change = decideAssignment(current, workerOf(worker), at);
    given = change !== undefined;
    return change;
  };
  // The job is kept until it is done.
  await handOver(store, order._id, worker._id, decide, { comesAgain: true });
  return given;
}

const loaded = (roster: readonly WorkerWithLoad[], workerId: string, trees: number): WorkerWithLoad[] =>
  roster.map((worker) =>
    worker._id === workerId
      ? { ...worker, openTrees: worker.openTrees + trees, openAssignments: worker.openAssignments + 1 }
      : worker,
  );
