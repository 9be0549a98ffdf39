import { describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import type { Assignment } from '../assignment/assignment.ts';
import { decideCreation } from '../assignment/order-events.ts';
import { decideAssignment } from '../assignment/steps.ts';
import type { AssignmentStore } from '../store.ts';
import { minute, newOrderId, orderCreated, worker } from '../test/builders.ts';
import { openDispatch } from './dispatch.ts';
import { hasRoom, workerOf, WorkerUnavailable, type WorkerWithLoad } from './worker.ts';

const waitingOrder = (trees: number): Assignment =>
  decideCreation(undefined, orderCreated({ orderId: newOrderId(), trees }).data, 1)!.record;

/** A store in memory, and captured logs. `before` runs before each write, like another replica. */
function scene(parts: {
  pages: Assignment[][];
  workers: WorkerWithLoad[];
  before?: (id: string, documents: Map<string, Assignment>) => void;
  read?: () => void;
}) {
  const documents = new Map(parts.pages.flat().map((order) => [order.id, order]));
  const lines: { level: number; msg: string }[] = [];
  const logger = pino({}, { write: (line) => void lines.push(JSON.parse(line)) });
  const roster = (): WorkerWithLoad[] =>
    parts.workers.map((one) => {
      const open = [...documents.values()].filter(({ progress }) => progress.worker?.workerId === one.id);
      const openTrees = open.reduce((sum, { trees }) => sum + trees, 0);
      return { ...one, openTrees, openAssignments: open.length };
    });
  const store: Pick<AssignmentStore, 'change' | 'roster' | 'waitingPages' | 'countWaiting'> = {
    async change(id, decide, { needs } = {}) {
      parts.before?.(id, documents);
      const document = decide(documents.get(id))?.record;
      const worker = roster().find(({ id }) => id === document?.progress.worker?.workerId);
      if (document && needs === 'room' && !hasRoom(worker!, document)) throw new WorkerUnavailable();
      if (document) documents.set(id, document);
      return documents.get(id);
    },
    roster: async () => roster(),
    async *waitingPages() {
      for (const page of parts.pages) {
        parts.read?.();
        yield page;
      }
    },
    countWaiting: async () =>
      [...documents.values()].filter(({ progress }) => progress.status === 'pending').length,
  };
  const workersOf = (orders: readonly Assignment[]) =>
    orders.map((order) => documents.get(order.id)?.progress.worker?.workerId);
  const run = openDispatch(store, () => new Date(minute(1)), logger);
  return { run, workersOf, lines };
}

/** Assigns an order first, like another replica. */
const takenBy = (id: string, documents: Map<string, Assignment>, workerId: string) =>
  documents.set(id, decideAssignment(documents.get(id), workerOf(worker(workerId)), minute(0))!.record);

describe('assigning waiting orders', () => {
  test('lets each choice see earlier ones', async () => {
    const orders = [5, 5, 5, 5].map(waitingOrder);
    const { run, workersOf, lines } = scene({ pages: [orders], workers: [worker('a'), worker('b')] });
    await run();
    expect(workersOf(orders)).toEqual(['a', 'b', 'a', 'b']);
    expect(lines).toEqual([]);
  });

  test('leaves a large order waiting without blocking smaller ones; logs how many wait', async () => {
    const orders = [8, 30, 2, 1].map(waitingOrder);
    const workers = [worker('a', { capacityTrees: 10 })];
    const { run, workersOf, lines } = scene({ pages: [orders], workers });
    await run();
    expect(workersOf(orders)).toEqual(['a', undefined, 'a', undefined]);
    expect(lines).toMatchObject([{ level: 40, waiting: 2 }]);
  });

  test('skips and reports an order that cannot be written', async () => {
    const orders = [5, 5].map(waitingOrder);
    const before = (id: string) => {
      if (id === orders[0]!.id) throw new Error('too many at once');
    };
    const { run, workersOf, lines } = scene({ pages: [orders], workers: [worker('a')], before });
    await run();
    expect(workersOf(orders)).toEqual([undefined, 'a']);
    expect(lines).toMatchObject([
      { level: 50, orderId: orders[0]!.orderId },
      { level: 40, waiting: 1 },
    ]);
  });

  test('reloads the roster after losing an order to another replica', async () => {
    const orders = [6, 6].map(waitingOrder);
    const { run, workersOf } = scene({
      pages: [orders],
      workers: [worker('a', { capacityTrees: 10 })],
      before: (id, documents) => void (id === orders[0]!.id && takenBy(id, documents, 'a')),
    });
    await run();
    expect(workersOf(orders)).toEqual(['a', undefined]);
  });

  test('counts another replica’s assignment before the next choice', async () => {
    const [first, second, third] = [waitingOrder(1), waitingOrder(6), waitingOrder(6)];
    const { run, workersOf } = scene({
      pages: [[first, second], [third]],
      workers: [worker('a', { capacityTrees: 10 })],
      before: (id, documents) => void (id === first.id && takenBy(third.id, documents, 'a')),
    });
    await run();
    expect(workersOf([first, second, third])).toEqual(['a', undefined, 'a']);
  });

  test('reads no further pages when there is no capacity left', async () => {
    const [first, second] = [waitingOrder(10), waitingOrder(1)];
    const { run, workersOf } = scene({
      pages: [[first], [second]],
      workers: [worker('a', { capacityTrees: 10 })],
    });
    await run();
    expect(workersOf([first, second])).toEqual(['a', undefined]);
  });

  test.each([
    ['there is nobody', []],
    ['nobody has room', [worker('a', { capacityTrees: 0 })]],
  ])('reads one page when %s, and logs it at intervals', async (_why, workers) => {
    const reads: string[] = [];
    const orders = [5, 5].map(waitingOrder);
    const { run, lines } = scene({
      pages: [orders, [waitingOrder(5)]],
      workers,
      read: () => void reads.push('read'),
    });
    await run();
    await run();
    expect(reads).toHaveLength(2);
    expect(lines).toMatchObject([{ level: 40, waiting: 3 }]);
  });
});
