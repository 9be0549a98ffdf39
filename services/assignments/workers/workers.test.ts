import type { ArboledaEvent, NewEvent } from '@arboleda/contracts/events/index.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import type { Assignment } from '../assignment/assignment.ts';
import { decideCreation } from '../assignment/order-events.ts';
import { decideAssignment } from '../assignment/steps.ts';
import { readPage, type Section } from '../pages.ts';
import type { AssignmentStore } from '../store.ts';
import {
  minute,
  newOrderId,
  orderCreated,
  worker,
  workerRegistered,
  workerUpdated,
} from '../test/builders.ts';
import { openDispatch } from './dispatch.ts';
import {
  chooseWorker,
  decideProfile,
  freeTrees,
  hasRoom,
  loadChanges,
  workerOf,
  WorkerUnavailable,
  type WorkerWithLoad,
} from './worker.ts';

describe('choosing a worker', () => {
  const chosen = (...[order, roster]: Parameters<typeof chooseWorker>) => chooseWorker(order, roster)?._id;

  test('finds nobody among no workers', () => {
    expect(chosen({ trees: 1 }, [])).toBeUndefined();
  });

  test('prefers the order’s region over less work', () => {
    const near = worker('near', { region: 'Huila', openAssignments: 7 });
    const idle = worker('idle', { region: 'Quindío' });
    expect(chosen({ trees: 5, region: 'Huila' }, [idle, near])).toBe('near');
    expect(chosen({ trees: 5, region: ' quindio ' }, [near, idle])).toBe('idle');
  });

  test('falls back to another region', () => {
    expect(chosen({ trees: 5, region: 'Amazonas' }, [worker('far')])).toBe('far');
    const full = worker('near', { region: 'Huila', openTrees: 98 });
    expect(chosen({ trees: 5, region: 'Huila' }, [full, worker('far')])).toBe('far');
  });

  test('without a region takes the one with the fewest open assignments', () => {
    const roster = [
      worker('a', { openAssignments: 2 }),
      worker('b', { openAssignments: 1 }),
      worker('c', { openAssignments: 3 }),
    ];
    expect(chosen({ trees: 5 }, roster)).toBe('b');
  });

  test('is deterministic among equals, whatever their order', () => {
    const [a, b, c] = [worker('a'), worker('b'), worker('c')];
    expect([chosen({ trees: 5 }, [c, a, b]), chosen({ trees: 5 }, [b, c, a])]).toEqual(['a', 'a']);
  });

  test('never exceeds a capacity', () => {
    const roster = [worker('a', { capacityTrees: 10, openTrees: 6 })];
    expect(chosen({ trees: 4 }, roster)).toBe('a');
    expect(chosen({ trees: 5 }, roster)).toBeUndefined();
  });

  test('skips inactive workers', () => {
    const away = worker('away', { active: false });
    expect(freeTrees(away)).toBe(0);
    expect(chosen({ trees: 1 }, [away])).toBeUndefined();
  });

  test('skips the worker it was taken from', () => {
    const order = { trees: 5, takenFromWorkerId: 'a' };
    expect(chosen(order, [worker('a'), worker('b', { openAssignments: 9 })])).toBe('b');
    expect(chosen(order, [worker('a')])).toBeUndefined();
  });

  test('leaves the roster unchanged', () => {
    const roster = [worker('b'), worker('a')];
    chooseWorker({ trees: 1 }, roster);
    expect(roster.map((one) => one._id)).toEqual(['b', 'a']);
  });
});

test('a capacity lowered below the open trees leaves no room, not a negative one', () => {
  expect(freeTrees(worker('a', { capacityTrees: 10, openTrees: 25 }))).toBe(0);
});

const waitingOrder = (trees: number): Assignment =>
  decideCreation(undefined, orderCreated({ orderId: newOrderId(), trees }).data, 1)!.document;

describe('a change of an assignment', () => {
  const waiting = waitingOrder(5);
  const given = (to: string, before = waiting) =>
    ({
      ...before,
      progress: { status: 'assigned', worker: workerOf(worker(to)), assignedAt: minute(1) },
    }) as const;
  const changes = (before: Assignment | undefined, after: Assignment) =>
    [...loadChanges(before, after)].map(([id, load]) => {
      const counted = Object.entries(load).filter(([, change]) => change !== 0);
      return { id, ...Object.fromEntries(counted) };
    });

  test('changes no load without a worker', () => {
    expect([changes(undefined, waiting), changes(waiting, { ...waiting, trees: 9 })]).toEqual([[], []]);
  });

  test('moves from one worker to the other, with its trees', () => {
    expect(changes(waiting, given('a'))).toEqual([{ id: 'a', assigned: 1, assignedTrees: 5 }]);
    expect(changes(given('a'), given('b', { ...waiting, trees: 6 }))).toEqual([
      { id: 'a', assigned: -1, assignedTrees: -5 },
      { id: 'b', assigned: 1, assignedTrees: 6 },
    ]);
  });

  test('moves its worker’s load from one status to the next', () => {
    const planted = { ...given('a').progress, status: 'planted', plantedAt: minute(2) } as const;
    expect(changes(given('a'), { ...given('a'), progress: planted })).toEqual([
      { id: 'a', assigned: -1, planted: 1, assignedTrees: -5, plantedTrees: 5 },
    ]);
    expect(changes(given('a'), { ...given('a'), notes: 'Rainy day' })).toEqual([]);
  });
});

describe('a profile from auth', () => {
  const envelope = <Type extends 'worker.registered' | 'worker.updated'>(
    event: NewEvent<Type>,
    sequence: number,
    occurredAt = minute(sequence),
  ) =>
    ({
      ...event,
      id: `event-${sequence}`,
      version: 1,
      key: 'worker-ana',
      sequence,
      occurredAt,
      correlationId: 'c',
    }) as ArboledaEvent<Type>;

  const registered = envelope(workerRegistered(), 0);
  const moved = envelope(workerUpdated({ region: 'Huila', capacityTrees: 40 }), 1);
  const profile = decideProfile(undefined, registered)!.document;

  test('is stored, and waiting orders are retried', () => {
    const change = decideProfile(profile, moved)!;
    expect(change.document).toMatchObject({
      _id: 'worker-ana',
      region: 'Huila',
      capacityTrees: 40,
      sequence: 1,
    });
    expect(change.jobs).toMatchObject([{ key: 'assign-waiting' }]);
  });

  test('is stored in its newest version, even when an older one arrives last', () => {
    const updated = decideProfile(undefined, moved)!.document;
    expect(decideProfile(updated, registered)).toBeUndefined();
  });

  test('without versions is stored by its newest instant', () => {
    const later = envelope(workerUpdated({ region: 'Huila' }), 0, minute(5));
    const updated = decideProfile(profile, later)!.document;
    expect(updated.region).toBe('Huila');
    expect(decideProfile(updated, registered)).toBeUndefined();
  });
});

/** A store in memory, and captured logs. `before` runs before each write, like another replica. */
function scene(parts: {
  pages: Assignment[][];
  workers: WorkerWithLoad[];
  before?: (id: string, documents: Map<string, Assignment>) => void;
  read?: () => void;
}) {
  const documents = new Map(parts.pages.flat().map((order) => [order._id, order]));
  const lines: { level: number; msg: string }[] = [];
  const logger = pino({}, { write: (line) => void lines.push(JSON.parse(line)) });
  const roster = (): WorkerWithLoad[] =>
    parts.workers.map((one) => {
      const open = [...documents.values()].filter(({ progress }) => progress.worker?.workerId === one._id);
      const openTrees = open.reduce((sum, { trees }) => sum + trees, 0);
      return { ...one, openTrees, openAssignments: open.length };
    });
  const store: Pick<AssignmentStore, 'change' | 'roster' | 'waitingPages' | 'countWaiting'> = {
    async change(id, decide, { needs } = {}) {
      parts.before?.(id, documents);
      const document = decide(documents.get(id))?.document;
      const worker = roster().find(({ _id }) => _id === document?.progress.worker?.workerId);
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
    orders.map((order) => documents.get(order._id)?.progress.worker?.workerId);
  const run = openDispatch(store, () => new Date(minute(1)), logger);
  return { run, workersOf, lines };
}

/** Assigns an order first, like another replica. */
const takenBy = (id: string, documents: Map<string, Assignment>, workerId: string) =>
  documents.set(id, decideAssignment(documents.get(id), workerOf(worker(workerId)), minute(0))!.document);

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

  test('reloads the roster after losing an order to another replica', async () => {
    const orders = [6, 6].map(waitingOrder);
    const { run, workersOf } = scene({
      pages: [orders],
      workers: [worker('a', { capacityTrees: 10 })],
      before: (id, documents) => void (id === orders[0]!._id && takenBy(id, documents, 'a')),
    });
    await run();
    expect(workersOf(orders)).toEqual(['a', undefined]);
  });

  test('counts another replica’s assignment before the next choice', async () => {
    const [first, second, third] = [waitingOrder(1), waitingOrder(6), waitingOrder(6)];
    const { run, workersOf } = scene({
      pages: [[first, second], [third]],
      workers: [worker('a', { capacityTrees: 10 })],
      before: (id, documents) => void (id === first._id && takenBy(third._id, documents, 'a')),
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

interface Item {
  _id: string;
  day: string;
}

const items = (name: string, count: number): Item[] =>
  Array.from({ length: count }, (_, n) => ({ _id: `${name}${n}`, day: `d${String(n).padStart(5, '0')}` }));

/** A section in memory that counts its reads. */
function section(name: string, count: number): Section<Item> & { reads: number } {
  const all = items(name, count);
  return {
    name,
    reads: 0,
    async read({ limit, after }) {
      this.reads++;
      const start = after ? all.findIndex(({ _id }) => _id === after[1]) + 1 : 0;
      return all.slice(start, start + limit);
    },
    placeOf: ({ day, _id }) => [day, _id],
  };
}

async function walk(sections: Section<Item>[], limit: number) {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const page = await readPage(sections, { limit, cursor });
    pages.push(page.items.map(({ _id }) => _id));
    cursor = page.nextCursor;
  } while (cursor);
  return pages;
}

describe('a list of several parts', () => {
  test.each([1, 2, 3, 4, 5, 8, 9])('is read in pages of %i, each item once', async (limit) => {
    const pages = await walk([section('a', 3), section('b', 0), section('c', 5)], limit);
    expect(pages.flat()).toEqual([...items('a', 3), ...items('c', 5)].map(({ _id }) => _id));
    expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
    expect(pages.at(-1)!.length).toBeGreaterThan(0);
  });

  test('that is empty is one empty page', async () => {
    expect(await walk([section('a', 0)], 5)).toEqual([[]]);
  });

  test('is read no further than requested', async () => {
    const [first, second] = [section('a', 10), section('b', 10)];
    await readPage([first, second], { limit: 5 });
    expect([first.reads, second.reads]).toEqual([1, 0]);
  });

  test.each([
    ['nonsense', 'nonsense'],
    ['of another list', Buffer.from('["x","d00001","a1"]').toString('base64url')],
    ['of one part', Buffer.from('["a"]').toString('base64url')],
    ['of numbers', Buffer.from('["a",1,2]').toString('base64url')],
  ])('refuses a cursor that is %s, by name', async (_what, cursor) => {
    const refusal = await readPage([section('a', 3)], { limit: 1, cursor }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Problem);
    expect(refusal).toMatchObject({
      type: 'validation-failed',
      fields: [{ path: 'cursor', type: 'invalid' }],
    });
  });
});
