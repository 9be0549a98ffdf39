import type { Logger } from '@arboleda/chassis/log.ts';
import type { ArboledaEvent } from '@arboleda/contracts/events/index.ts';
import { type Assignment, assignmentIdOf } from '../assignment/assignment.ts';
import { decideCreation } from '../assignment/news.ts';
import { decideAssignment, decideRelease } from '../assignment/steps.ts';
import { decideVisitorLeft } from '../growth/visits.ts';
import type { AssignmentStore } from '../store.ts';
import { chooseWorker, freeTrees, workerOf, WorkerUnavailable, type WorkerWithLoad } from './worker.ts';

/** Operators are told at most so often how many orders wait: with nobody to plant, each order would say so. */
const TELL_EVERY_MS = 10_000;

type Giving = Pick<AssignmentStore, 'change' | 'roster' | 'waitingPages' | 'countWaiting'>;

/** Gives waiting orders to workers, and tells operators when some have to wait. */
export function openDispatch(store: Giving, clock: () => Date, logger: Logger): () => Promise<void> {
  let toldMs = -Infinity;
  return async () => {
    const isAll = await assignWaiting(store, clock, logger);
    if (isAll || performance.now() - toldMs < TELL_EVERY_MS) return;
    toldMs = performance.now();
    const waiting = await store.countWaiting();
    if (waiting > 0) logger.warn({ waiting }, 'orders wait for a worker with room');
  };
}

/** How often somebody else is chosen for an order, when whoever was chosen has no room any more. */
const TRIES = 10;

/**
 * Takes a new order in, and gives it to a worker in the same change. When nobody has room for it, it waits.
 * Whoever another replica filled up meanwhile refuses the order when it is written, and somebody else is chosen.
 */
export function openIntake(store: Pick<AssignmentStore, 'change' | 'roster'>, clock: () => Date) {
  // Choices that are being written: a roster that is read meanwhile does not count them yet.
  const beingWritten = new Set<{ workerId: string; trees: number }>();
  return async ({ id, data, sequence }: ArboledaEvent<'order.created'>): Promise<void> => {
    const take = (worker: WorkerWithLoad | undefined) =>
      store.change(
        assignmentIdOf(data.orderId),
        (current) => {
          const created = decideCreation(current, data, sequence);
          if (!created || !worker) return created;
          return decideAssignment(created.document, workerOf(worker), clock().toISOString()) ?? created;
        },
        // A transfer was announced before, so that there is an assignment already.
        { eventId: id, isNew: data.method.kind === 'card', ...(worker && { needs: 'room' }) },
      );
    for (let tries = 1; tries <= TRIES; tries++) {
      let roster: readonly WorkerWithLoad[] = await store.roster();
      for (const { workerId, trees } of beingWritten) roster = loaded(roster, workerId, trees);
      const worker = chooseWorker(data, roster);
      if (!worker) break;
      const choice = { workerId: worker._id, trees: data.trees };
      beingWritten.add(choice);
      try {
        if (await isTaken(take(worker))) return;
      } finally {
        beingWritten.delete(choice);
      }
    }
    await take(undefined);
  };
}

/**
 * Gives waiting orders to workers, oldest first. It runs as one job for all that waits, so choices follow each other
 * and see each other's effect. Another replica may be at it in the same moment: whoever it filled up meanwhile refuses
 * the order when it is written, and somebody else is chosen.
 * An order that cannot be written does not hold up the others: it is tried again with the next run.
 * @returns whether all have somebody now.
 */
async function assignWaiting(store: Giving, clock: () => Date, logger: Logger): Promise<boolean> {
  let roster: readonly WorkerWithLoad[] = [];
  let isAll = true;
  const hasSomebody = async (order: Assignment): Promise<boolean> => {
    if (await staysWith(store, order, roster)) return true;
    for (let tries = 1; tries <= TRIES; tries++) {
      const worker = chooseWorker(order, roster);
      if (!worker) return false;
      const outcome = await give(store, order, worker, clock().toISOString());
      if (outcome === 'given') roster = loaded(roster, worker._id, order.trees);
      else roster = await store.roster();
      if (outcome !== 'refused') return true;
    }
    return false;
  };
  for await (const page of store.waitingPages()) {
    // After the page: whoever registered before an order was bought may have it.
    roster = await store.roster();
    for (const order of page) {
      try {
        if (!(await hasSomebody(order))) isAll = false;
      } catch (err) {
        isAll = false;
        logger.error({ err, orderId: order.orderId }, 'an order could not be assigned');
      }
    }
    if (roster.every((worker) => freeTrees(worker) === 0)) return false;
  }
  return isAll;
}

/** Whose worker left and is back, keeps them. */
async function staysWith(
  store: Giving,
  { _id, isReleased, progress: { worker } }: Assignment,
  roster: readonly WorkerWithLoad[],
): Promise<boolean> {
  if (!isReleased || !worker || !roster.some((one) => one._id === worker.workerId)) return false;
  const keep = (current: Assignment | undefined) => decideRelease(current, worker.workerId, true);
  return isTaken(store.change(_id, keep, { needs: 'active' }));
}

/** @returns `lost` when somebody else was faster, `refused` when the worker left or was given something else meanwhile. */
async function give(
  store: Giving,
  order: Assignment,
  worker: WorkerWithLoad,
  at: string,
): Promise<'given' | 'lost' | 'refused'> {
  let isGiven = false;
  const decide = (current: Assignment | undefined) => {
    const change = decideAssignment(current, workerOf(worker), at);
    isGiven = change !== undefined;
    return change;
  };
  if (!(await isTaken(store.change(order._id, decide, { needs: 'room' })))) return 'refused';
  return isGiven ? 'given' : 'lost';
}

/** @returns false when the worker cannot take it. */
const isTaken = (changing: Promise<unknown>): Promise<boolean> =>
  changing.then(
    () => true,
    (error: unknown) => {
      if (error instanceof WorkerUnavailable) return false;
      throw error;
    },
  );

const loaded = (roster: readonly WorkerWithLoad[], workerId: string, trees: number): WorkerWithLoad[] =>
  roster.map((worker) =>
    worker._id === workerId
      ? { ...worker, openTrees: worker.openTrees + trees, openAssignments: worker.openAssignments + 1 }
      : worker,
  );

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
    for (const { visitId, assignmentId } of page) {
      await store.change(assignmentId, (current) => decideVisitorLeft(current, visitId, workerId));
    }
  }
  return left;
}
