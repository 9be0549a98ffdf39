import type { Change } from '@arboleda/chassis/records.ts';
import type { ArboledaEvent } from '@arboleda/contracts/events/index.ts';
import type { Worker } from '@arboleda/contracts/fields.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import type { Language } from '@arboleda/contracts/roles.ts';
import { ASSIGN_WAITING, type Assignment, reviewOf } from '../assignment/assignment.ts';

/** A worker, copied from auth. */
export interface WorkerProfile {
  id: string;
  code: string;
  name: string;
  email: string;
  region: string;
  language: Language;
  active: boolean;
  /** Most trees a worker may have open at once. */
  capacityTrees: number;
  /** Version of the copy: the account's version and its instant. */
  sequence: number;
  occurredAt: string;
}

export interface Load {
  assigned: number;
  planted: number;
  completed: number;
  assignedTrees: number;
  plantedTrees: number;
  completedTrees: number;
}

export const NO_LOAD: Load = {
  assigned: 0,
  planted: 0,
  completed: 0,
  assignedTrees: 0,
  plantedTrees: 0,
  completedTrees: 0,
};

/** A worker with open work: assigned or planted, not completed. */
export interface WorkerWithLoad extends WorkerProfile {
  openTrees: number;
  openAssignments: number;
  treesPlanted: number;
}

export const withLoad = (worker: WorkerProfile, load: Load): WorkerWithLoad => ({
  ...worker,
  openTrees: load.assignedTrees + load.plantedTrees,
  openAssignments: load.assigned + load.planted,
  treesPlanted: load.plantedTrees + load.completedTrees,
});

/** Changes of the workers' loads that an assignment's change causes. */
export function loadChanges(before: Assignment | undefined, after: Assignment): ReadonlyMap<string, Load> {
  const changes = new Map<string, Load>();
  const count = ({ progress, trees }: Assignment, by: 1 | -1) => {
    if (!progress.worker) return;
    const { workerId } = progress.worker;
    const load = { ...(changes.get(workerId) ?? NO_LOAD) };
    load[progress.status] += by;
    load[`${progress.status}Trees`] += by * trees;
    changes.set(workerId, load);
  };
  if (before) count(before, -1);
  count(after, 1);
  for (const [workerId, load] of changes)
    if (Object.values(load).every((change) => change === 0)) changes.delete(workerId);
  return changes;
}

/** Condition on the worker at the moment of writing. */
export type Need = 'active' | 'room';

/** The worker is inactive or has too little capacity. */
export class WorkerUnavailable extends Problem {
  constructor() {
    super('validation-failed', { fields: [{ path: 'workerId', type: 'worker-unavailable' }] });
  }
}

type WorkerEvent = ArboledaEvent<'worker.registered' | 'worker.updated'>;

/** Keeps the newest profile, as the two topics may overtake each other. Waiting orders may now be assigned. */
export function decideProfile(
  current: WorkerProfile | undefined,
  event: WorkerEvent,
): Change<WorkerProfile> | undefined {
  const { sequence, occurredAt, data } = event;
  if (current && isOlder({ sequence, occurredAt }, current)) return undefined;
  const { workerId, ...account } = data;
  const leftOrCame = (current?.active ?? true) !== account.active;
  return {
    record: { ...account, id: workerId, sequence, occurredAt },
    jobs: leftOrCame ? [ASSIGN_WAITING, reviewOf(workerId)] : [ASSIGN_WAITING],
  };
}

type Version = Pick<WorkerProfile, 'sequence' | 'occurredAt'>;
const isOlder = (one: Version, other: Version): boolean =>
  one.sequence === other.sequence
    ? Date.parse(one.occurredAt) < Date.parse(other.occurredAt)
    : one.sequence < other.sequence;

interface Demand {
  trees: number;
  region?: string | undefined;
  /** The worker an admin took this order from; it is not assigned to them automatically again. */
  takenFromWorkerId?: string | undefined;
}

/**
 * Chooses an active worker with capacity for all trees: first in the region, then with the fewest open
 * assignments, then by the lowest id, which makes the choice deterministic.
 */
export const chooseWorker = (order: Demand, roster: readonly WorkerWithLoad[]): WorkerWithLoad | undefined =>
  roster
    .filter((worker) => worker.id !== order.takenFromWorkerId && hasRoom(worker, order))
    .sort(betterFor(order))[0];

/** Chooses a visitor like a planter, but regardless of capacity. */
export const chooseVisitor = (
  order: Pick<Demand, 'region'>,
  roster: readonly WorkerWithLoad[],
): WorkerWithLoad | undefined => roster.filter((worker) => worker.active).sort(betterFor(order))[0];

/** Ranks workers by fit; those without capacity come last. */
export const rankFor = (order: Demand, roster: readonly WorkerWithLoad[]): WorkerWithLoad[] => {
  const full = (worker: WorkerWithLoad) => (hasRoom(worker, order) ? 0 : 1);
  const better = betterFor(order);
  return roster.toSorted((a, b) => full(a) - full(b) || better(a, b));
};

export const hasRoom = (worker: WorkerWithLoad, { trees }: Pick<Demand, 'trees'>): boolean =>
  worker.active && freeTrees(worker) >= trees;

export const isInRegion = (
  worker: Pick<WorkerProfile, 'region'>,
  { region }: Pick<Demand, 'region'>,
): boolean => region !== undefined && sameRegion(worker.region, region);

const betterFor =
  (order: Pick<Demand, 'region'>) =>
  (a: WorkerWithLoad, b: WorkerWithLoad): number =>
    Number(isInRegion(b, order)) - Number(isInRegion(a, order)) ||
    a.openAssignments - b.openAssignments ||
    (a.id < b.id ? -1 : 1);

export const freeTrees = (worker: WorkerWithLoad): number =>
  worker.active ? Math.max(0, worker.capacityTrees - worker.openTrees) : 0;

/** Ignores case and accents: "quindio" is "Quindío". */
const sameRegion = (a: string, b: string): boolean =>
  a.trim().localeCompare(b.trim(), 'es', { sensitivity: 'base' }) === 0;

export const workerOf = ({ id, code, name, email, region }: WorkerProfile): Worker => ({
  workerId: id,
  code,
  name,
  email,
  region,
});
