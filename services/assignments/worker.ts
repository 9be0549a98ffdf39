import type { Change } from '@arboleda/chassis/ports/documents.ts';
import type { ArboledaEvent } from '@arboleda/contracts/events/index.ts';
import type { Worker } from '@arboleda/contracts/fields.ts';
import type { Language } from '@arboleda/contracts/roles.ts';
import { ASSIGN_WAITING } from './assignment.ts';

/** A worker as auth last told of them. */
export interface WorkerProfile {
  _id: string;
  code: string;
  name: string;
  email: string;
  region: string;
  language: Language;
  active: boolean;
  /** Trees that may be open with this worker at once. */
  capacityTrees: number;
  /** Which news this is from: the account's version and its instant. */
  sequence: number;
  occurredAt: string;
}

/** A worker with what is open: assigned or planted, not completed. */
export interface WorkerWithLoad extends WorkerProfile {
  openTrees: number;
  openAssignments: number;
}

type WorkerEvent = ArboledaEvent<'worker.registered' | 'worker.updated'>;

/** Keeps the newest of what was told: the two topics may overtake each other. Waiting orders may now find somebody. */
export function decideProfile(
  current: WorkerProfile | undefined,
  event: WorkerEvent,
): Change<WorkerProfile> | undefined {
  const { sequence, occurredAt, data } = event;
  if (current && isOlder({ sequence, occurredAt }, current)) return undefined;
  const { workerId, ...account } = data;
  return { document: { ...account, _id: workerId, sequence, occurredAt }, jobs: [ASSIGN_WAITING] };
}

type Version = Pick<WorkerProfile, 'sequence' | 'occurredAt'>;
const isOlder = (one: Version, other: Version): boolean =>
  one.sequence === other.sequence
    ? Date.parse(one.occurredAt) < Date.parse(other.occurredAt)
    : one.sequence < other.sequence;

/** What an order asks of its worker. */
export interface Demand {
  trees: number;
  region?: string | undefined;
  /** Whom an admin took this order from: it does not go back there by itself. */
  takenFromWorkerId?: string | undefined;
}

/**
 * Who plants an order: somebody active with room for all its trees; of those, one in its region, then the one with
 * the fewest open assignments, then the lowest id, so that the same question always has the same answer.
 */
export function chooseWorker(order: Demand, roster: readonly WorkerWithLoad[]): WorkerWithLoad | undefined {
  const awayFromRegion = (worker: WorkerWithLoad) =>
    order.region && sameRegion(worker.region, order.region) ? 0 : 1;
  return roster
    .filter((worker) => worker._id !== order.takenFromWorkerId && freeTrees(worker) >= order.trees)
    .sort(
      (a, b) =>
        awayFromRegion(a) - awayFromRegion(b) ||
        a.openAssignments - b.openAssignments ||
        (a._id < b._id ? -1 : 1),
    )[0];
}

export const freeTrees = (worker: WorkerWithLoad): number =>
  worker.active ? Math.max(0, worker.capacityTrees - worker.openTrees) : 0;

/** "quindio" is "Quindío". */
const sameRegion = (a: string, b: string): boolean =>
  a.trim().localeCompare(b.trim(), 'es', { sensitivity: 'base' }) === 0;

/** What an assignment and its events carry of a worker. */
export const workerOf = ({ _id, code, name, email, region }: WorkerProfile): Worker => ({
  workerId: _id,
  code,
  name,
  email,
  region,
});
