import type { Logger } from '@arboleda/chassis/log.ts';
import type { Jobs } from '@arboleda/chassis/ports/jobs.ts';
import type { ArboledaEvent } from '@arboleda/contracts/events/index.ts';
import { ASSIGN_WAITING, type Assignment, assignmentIdOf } from '../assignment/assignment.ts';
import { decideCreation } from '../assignment/order-events.ts';
import { decideAssignment, decideRelease } from '../assignment/steps.ts';
import { decideVisitorLeft } from '../growth/visits.ts';
import type { AssignmentStore } from '../store.ts';
import { chooseWorker, freeTrees, workerOf, WorkerUnavailable, type WorkerWithLoad } from './worker.ts';

/** Minimum time between two log entries about waiting orders: without workers, every order would cause one. */
const LOG_EVERY_MS = 10_000;

type Giving = Pick<AssignmentStore, 'change' | 'roster' | 'waitingPages' | 'countWaiting'>;

/** Assigns waiting orders, and logs how many have to wait. */
export function openDispatch(store: Giving, clock: () => Date, logger: Logger): () => Promise<void> {
  let loggedMs = -Infinity;
  return async () => {
    const isAll = await assignWaiting(store, clock, logger);
    if (isAll || performance.now() - loggedMs < LOG_EVERY_MS) return;
    loggedMs = performance.now();
    const waiting = await store.countWaiting();
    if (waiting > 0) logger.warn({ waiting }, 'orders wait for a worker with room');
  };
}

/** How often another worker is chosen when the chosen one has no capacity any more. */
const TRIES = 10;

/**
 * Adds a new order and assigns it in the same write; without capacity it waits.
 * If another replica filled the chosen worker meanwhile, the write is refused and another worker is chosen.
 */
export function openIntake(
  store: Pick<AssignmentStore, 'change' | 'roster'>,
  jobs: Pick<Jobs, 'enqueue'>,
  clock: () => Date,
) {
  // Choices being written, which a roster read meanwhile does not count yet.
  const beingWritten = new Set<{ workerId: string; trees: number }>();
  return async ({ id, data, sequence }: ArboledaEvent<'order.created'>): Promise<void> => {
    const take = (worker: WorkerWithLoad | undefined) =>
      store.change(
        assignmentIdOf(data.orderId),
        (current) => {
          const created = decideCreation(current, data, sequence);
          if (!created || !worker) return created;
          return decideAssignment(created.record, workerOf(worker), clock().toISOString()) ?? created;
        },
        // A transfer's assignment exists since its submission.
        { eventId: id, isNew: data.method.kind === 'card', ...(worker && { needs: 'room' }) },
      );
    for (let tries = 1; tries <= TRIES; tries++) {
      let roster: readonly WorkerWithLoad[] = await store.roster();
      for (const { workerId, trees } of beingWritten) roster = loaded(roster, workerId, trees);
      const worker = chooseWorker(data, roster);
      if (!worker) break;
      const choice = { workerId: worker.id, trees: data.trees };
      beingWritten.add(choice);
      try {
        if (await isTaken(take(worker))) return;
      } finally {
        beingWritten.delete(choice);
      }
    }
    await take(undefined);
    // A worker who got room just before that write looked for waiting orders too early to find this one.
    if (chooseWorker(data, await store.roster())) await jobs.enqueue([ASSIGN_WAITING]);
  };
}

/**
 * Assigns waiting orders, oldest first. One job handles all, so each choice sees the earlier ones.
 * If another replica filled the chosen worker meanwhile, the write is refused and another worker is chosen.
 * An order that cannot be written does not block the others and is retried in the next run.
 * @returns whether no order waits any more
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
      if (outcome === 'given') roster = loaded(roster, worker.id, order.trees);
      else roster = await store.roster();
      if (outcome !== 'refused') return true;
    }
    return false;
  };
  for await (const page of store.waitingPages()) {
    // Load workers after the page, so late registrations count.
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

/** Keeps the worker of a released order when they are active again. */
async function staysWith(
  store: Giving,
  { id, isReleased, progress: { worker } }: Assignment,
  roster: readonly WorkerWithLoad[],
): Promise<boolean> {
  if (!isReleased || !worker || !roster.some((one) => one.id === worker.workerId)) return false;
  const keep = (current: Assignment | undefined) => decideRelease(current, worker.workerId, true);
  return isTaken(store.change(id, keep, { needs: 'active' }));
}

/**
 * @returns `lost` when another decision was faster, `refused` when the worker left or has no capacity any
 * more
 */
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
  if (!(await isTaken(store.change(order.id, decide, { needs: 'room' })))) return 'refused';
  return isGiven ? 'given' : 'lost';
}

/** @returns false when the worker is unavailable */
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
    worker.id === workerId
      ? { ...worker, openTrees: worker.openTrees + trees, openAssignments: worker.openAssignments + 1 }
      : worker,
  );

/**
 * Reviews the open work of a worker who left or came back: unplanted orders are released or restored; planted
 * ones stay until an admin decides. Due growth visits are announced again to the new visitor.
 * @returns whether growth visits wait for a worker
 */
export async function reviewWorker(
  store: AssignmentStore,
  workerId: string,
  clock: () => Date,
): Promise<boolean> {
  const isActive = (await store.workers.get(workerId))?.active ?? false;
  for await (const page of store.assignedPages(workerId)) {
    for (const { id } of page)
      await store.change(id, (current) => decideRelease(current, workerId, isActive));
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
