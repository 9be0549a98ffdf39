import type { ArboledaEvent } from '@arboleda/contracts/events/index.ts';
import { randomUUID } from 'node:crypto';
import { handOverStored } from '../outbox/hand-over.ts';
import type { Collection, Documents, Query } from '../ports/documents.ts';
import type { EventBus } from '../ports/event-bus.ts';
import type { Job, Jobs } from '../ports/jobs.ts';

/** What documents hand their outbox to. */
export interface Outlet {
  bus: Pick<EventBus, 'publish' | 'handOver'>;
  jobs: Pick<Jobs, 'enqueue' | 'handOver'>;
}

/** One database, and as many processes on it as a test wants. */
export interface DocumentsEngine {
  connect(outlet: Outlet): Promise<Documents>;
  /** Closes what was connected, too. */
  close(): Promise<void>;
}

export interface Tree {
  _id: string;
  name?: string;
  height?: number;
  planted?: boolean;
  plantedAt?: string;
  place?: { region: string; altitude?: number };
  uses?: string[];
}

/** A bus that stores what it is given. */
export const busOf = (publish: EventBus['publish']): Outlet['bus'] => ({
  publish,
  handOver: handOverStored(publish),
});

/** Jobs that store what they are given. */
export const jobsOf = (enqueue: Jobs['enqueue']): Outlet['jobs'] => ({
  enqueue,
  handOver: handOverStored(enqueue),
});

/** An outlet that writes down what it is given. */
export function recordingOutlet() {
  const events: ArboledaEvent[] = [];
  const jobs: Job[] = [];
  const outlet: Outlet = {
    bus: busOf(async (some) => void events.push(...some)),
    jobs: jobsOf(async (some) => void jobs.push(...some)),
  };
  return { events, jobs, outlet };
}

/** An outlet whose engine is away. */
export const brokenOutlet: Outlet = {
  bus: busOf(() => Promise.reject(new Error('the bus is away'))),
  jobs: jobsOf(() => Promise.reject(new Error('the queue is away'))),
};

export const aName = () => `trees_${randomUUID().slice(0, 8)}`;

export async function put(trees: Collection<Tree>, ...all: Tree[]): Promise<void> {
  for (const document of all) await trees.change(document._id, () => ({ document }));
}

export const ids = async (trees: Collection<Tree>, query: Query) =>
  (await trees.find(query)).map((tree) => tree._id);

/** Opens while somebody writes, who goes on for a while afterwards. */
export async function openWhile<T>(write: () => Promise<void>, open: () => Promise<T>): Promise<T> {
  let isOpen = false;
  const writing = (async () => {
    while (!isOpen) await write();
    for (let n = 0; n < 20; n++) await write();
  })();
  const opened = await open().finally(() => void (isOpen = true));
  await writing;
  return opened;
}
