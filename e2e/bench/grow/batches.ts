import type { Assignment } from '@arboleda/assignments/assignment/assignment.ts';
import type { StoredOrder } from '@arboleda/orders/store/stored.ts';
import type { WorkerProfile } from '@arboleda/assignments/workers/worker.ts';
import { lifeOf } from './life.ts';
import { workerOf, workersFor } from './person.ts';

const AT_ONCE = 500;

/** Some of what is to be stored, as the services keep it. */
export interface Batch {
  orders: StoredOrder[];
  assignments: Assignment[];
  workers: WorkerProfile[];
}

/** All that there is when `total` orders were bought until now, never more than a part in memory. */
export function* batches(total: number, nowMs: number): Generator<Batch> {
  const workers = Array.from({ length: workersFor(total) }, (_, n) => profile(n, total, nowMs));
  yield { orders: [], assignments: [], workers };
  for (let from = 0; from < total; from += AT_ONCE) {
    const length = Math.min(AT_ONCE, total - from);
    const lives = Array.from({ length }, (_, at) => lifeOf(from + at, total, nowMs));
    yield {
      orders: lives.map(({ order }) => order),
      assignments: lives.flatMap(({ assignment }) => assignment ?? []),
      workers: [],
    };
  }
}

function profile(n: number, total: number, nowMs: number): WorkerProfile {
  const { workerId: _id, ...account } = workerOf(n, total);
  const occurredAt = new Date(nowMs).toISOString();
  return { _id, ...account, language: 'es', active: true, capacityTrees: 10_000, sequence: 1, occurredAt };
}
