import { workerMayMove } from '@arboleda/contracts/order.ts';
import type { Answer } from '../api/client.ts';
import { isStatus, type Item, type StatusItem } from './outbox/item.ts';

export type Assignments = Answer<'GET /api/workers/assignments'>;
export type Assignment = Assignments['assignments'][number];
export type Visits = Answer<'GET /api/workers/growth-visits'>;
export type Visit = Visits['visits'][number];

/** Last known tasks of a worker. */
export interface Work {
  assignments: Assignments;
  visits: Visits;
}

export type Step = 'planted' | 'completed';

/** The next status; undefined after the last. */
export function nextStep({ status }: Pick<Assignment, 'status'>): Step | undefined {
  if (status === 'assigned') return 'planted';
  return status === 'planted' ? 'completed' : undefined;
}

const isStepOf =
  ({ _id }: Assignment) =>
  (item: Item): item is StatusItem =>
    isStatus(item) && item.occasion.kind === 'assignment' && item.occasion.id === _id;

/** An assignment after the waiting steps are applied. */
export function withSteps(assignment: Assignment, items: readonly Item[]): Assignment {
  return items.filter(isStepOf(assignment)).reduce((current, { state, body, at }) => {
    if (state.step !== 'waiting' || !workerMayMove(current.status, body.status)) return current;
    const moment = new Date(at).toISOString();
    return {
      ...current,
      status: body.status,
      location: body.location || current.location,
      ...(body.coordinates && { coordinates: body.coordinates }),
      ...(body.status === 'planted' ? { plantedAt: moment } : { completedAt: moment }),
    };
  }, assignment);
}

/** Steps that wait or were refused. */
export const stepsOf = (assignment: Assignment, items: readonly Item[]): StatusItem[] =>
  items.filter(isStepOf(assignment));

type Stats = Assignments['stats'];

/** Statistics after one assignment moved. Pending means assigned: product spec section 4. */
export function countMove(stats: Stats, before: Assignment, after: Assignment): Stats {
  const isPlanted = before.status === 'assigned' && after.status !== 'assigned';
  const isCompleted = before.status !== 'completed' && after.status === 'completed';
  return {
    ...stats,
    pendingAssignments: stats.pendingAssignments - (isPlanted ? 1 : 0),
    treesPlanted: stats.treesPlanted + (isPlanted ? before.trees : 0),
    completedOrders: stats.completedOrders + (isCompleted ? 1 : 0),
  };
}

/** Statistics after the waiting steps are applied. */
export const withStepsInStats = ({ assignments, stats }: Assignments, items: readonly Item[]): Stats =>
  assignments.reduce((sum, before) => countMove(sum, before, withSteps(before, items)), stats);

/** Visits accept photos from two weeks before their day. */
const VISIT_EARLY_MS = 14 * 86_400_000;

export const takesVisitPhotos = ({ state, dueAt }: Visit, now: number): boolean =>
  state === 'due' || state === 'done' || (dueAt !== undefined && Date.parse(dueAt) - VISIT_EARLY_MS <= now);

export type Task = { kind: 'assignment'; assignment: Assignment } | { kind: 'visit'; visit: Visit };

export const idOf = (task: Task): string =>
  task.kind === 'assignment' ? task.assignment._id : task.visit._id;

export interface Arranged {
  /** Task in progress, else the first one. */
  now: Task | undefined;
  later: Task[];
  /** Growth visits in the future. */
  scheduled: Visit[];
  done: Task[];
}

/**
 * Sorts tasks: plantings before growth visits, which have weeks of time.
 * @param at the current task, which stays until done or handed back, and ids of completed ones that can be undone
 */
export function arrange(
  assignments: readonly Assignment[],
  visits: readonly Visit[],
  at: { id?: string | undefined; now: number; undoable?: ReadonlySet<string> },
): Arranged {
  const planting = (assignment: Assignment): Task => ({ kind: 'assignment', assignment });
  const visiting = (visit: Visit): Task => ({ kind: 'visit', visit });
  const isDone = ({ _id, status }: Assignment) => status === 'completed' && !at.undoable?.has(_id);
  const isDue = (visit: Visit) => visit.state !== 'done' && takesVisitPhotos(visit, at.now);
  const open = [
    ...assignments.filter((one) => !isDone(one)).map(planting),
    ...visits.filter(isDue).map(visiting),
  ];
  const now = open.find((task) => idOf(task) === at.id) ?? open[0];
  return {
    now,
    later: open.filter((task) => task !== now),
    scheduled: visits.filter((visit) => visit.state !== 'done' && !isDue(visit)),
    done: [
      ...assignments.filter(isDone).map(planting),
      ...visits.filter(({ state }) => state === 'done').map(visiting),
    ],
  };
}
