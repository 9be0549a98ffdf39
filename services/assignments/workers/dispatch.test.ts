import type { Collection } from '@arboleda/chassis/ports/documents.ts';
import { describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { type Assignment, decideCreation } from '../assignment/assignment.ts';
import { decideAssignment } from '../assignment/steps.ts';
import { openDispatch } from './dispatch.ts';
import type { AssignmentStore } from '../store.ts';
import { minute, newOrderId, orderCreated, worker } from '../test/builders.ts';
import { workerOf, type WorkerWithLoad } from './worker.ts';

const waitingOrder = (trees: number): Assignment =>
  decideCreation(undefined, orderCreated({ orderId: newOrderId(), trees }).data, 1)!.document;

/** A store in memory, and what operators read. `before` runs before each write, as another replica would. */
function scene(parts: {
  pages: Assignment[][];
  workers: WorkerWithLoad[];
  before?: (id: string, documents: Map<string, Assignment>) => void;
  /** Called when orders that wait are read. */
  read?: () => void;
}) {
  const documents = new Map(parts.pages.flat().map((order) => [order._id, order]));
  const lines: { level: number; msg: string }[] = [];
  const logger = pino({}, { write: (line) => void lines.push(JSON.parse(line)) });
  const openOf = (id: string) =>
    [...documents.values()].filter(({ progress }) => progress.worker?.workerId === id);
  const openTrees = async (id: string) => openOf(id).reduce((sum, { trees }) => sum + trees, 0);
  const change: Collection<Assignment>['change'] = async (id, decide) => {
    parts.before?.(id, documents);
    const decided = decide(documents.get(id));
    if (decided) documents.set(id, decided.document);
    return documents.get(id);
  };
  const workers = { get: async (id: string) => parts.workers.find((one) => one._id === id) };
  const store: Pick<AssignmentStore, 'change' | 'roster' | 'openTrees' | 'waitingPages' | 'countWaiting'> & {
    workers: typeof workers;
  } = {
    change,
    workers,
    openTrees,
    roster: () =>
      Promise.all(
        parts.workers.map(async (one) => ({
          ...one,
          openTrees: await openTrees(one._id),
          openAssignments: openOf(one._id).length,
        })),
      ),
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
    orders.map((order) => documents.get(order._id)?.progress.worker?.workerId);
  const run = openDispatch(store as unknown as AssignmentStore, () => new Date(minute(1)), logger);
  return { run, workersOf, lines };
}

/** What another replica does: gives an order away first. */
const takenBy = (id: string, documents: Map<string, Assignment>, workerId: string) =>
  documents.set(id, decideAssignment(documents.get(id), workerOf(worker(workerId)), minute(0))!.document);

describe('giving out what waits', () => {
  test('each choice sees those before it', async () => {
    const orders = [5, 5, 5, 5].map(waitingOrder);
    const { run, workersOf, lines } = scene({ pages: [orders], workers: [worker('a'), worker('b')] });
    await run();
    expect(workersOf(orders)).toEqual(['a', 'b', 'a', 'b']);
    expect(lines).toEqual([]);
  });

  test('what does not fit waits, without holding up what does; operators are told how many wait', async () => {
    const orders = [8, 30, 2, 1].map(waitingOrder);
    const workers = [worker('a', { capacityTrees: 10 })];
    const { run, workersOf, lines } = scene({ pages: [orders], workers });
    await run();
    expect(workersOf(orders)).toEqual(['a', undefined, 'a', undefined]);
    expect(lines).toMatchObject([{ level: 40, waiting: 2 }]);
  });

  test('an order that cannot be written does not hold up the others, and is reported', async () => {
    const orders = [5, 5].map(waitingOrder);
    const before = (id: string) => {
      if (id === orders[0]!._id) throw new Error('too many at once');
    };
    const { run, workersOf, lines } = scene({ pages: [orders], workers: [worker('a')], before });
    await run();
    expect(workersOf(orders)).toEqual([undefined, 'a']);
    expect(lines).toMatchObject([
      { level: 50, orderId: orders[0]!.orderId },
      { level: 40, waiting: 1 },
    ]);
  });

  test('who loses an order to another replica looks again at what is open', async () => {
    const orders = [6, 6].map(waitingOrder);
    const { run, workersOf } = scene({
      pages: [orders],
      workers: [worker('a', { capacityTrees: 10 })],
      before: (id, documents) => void (id === orders[0]!._id && takenBy(id, documents, 'a')),
    });
    await run();
    expect(workersOf(orders)).toEqual(['a', undefined]);
  });

  test('what another replica gave to a worker counts before the next order is given there', async () => {
    const [first, second, third] = [waitingOrder(1), waitingOrder(6), waitingOrder(6)];
    const { run, workersOf } = scene({
      pages: [[first, second], [third]],
      workers: [worker('a', { capacityTrees: 10 })],
      before: (id, documents) => void (id === first._id && takenBy(third._id, documents, 'a')),
    });
    await run();
    expect(workersOf([first, second, third])).toEqual(['a', undefined, 'a']);
  });

  test('further pages are not read when nobody has room for one more tree', async () => {
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
  ])('no more than a page is read when %s, and operators are told once in a while', async (_why, workers) => {
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
