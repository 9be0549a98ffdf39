import { type Assignment, isWaiting } from '@arboleda/assignments/assignment/assignment.ts';
import type { VisitPlace } from '@arboleda/assignments/growth/store.ts';
import { inStep, type ListedVisit, listedVisits } from '@arboleda/assignments/growth/visits.ts';
import type { AssignmentStore } from '@arboleda/assignments/store.ts';
import {
  hasRoom,
  type Need,
  type WorkerProfile,
  WorkerUnavailable,
  type WorkerWithLoad,
} from '@arboleda/assignments/workers/worker.ts';
import type { Change, Records } from '@arboleda/chassis/records.ts';
import { isPlanted } from '@arboleda/contracts/order.ts';
import type { Photo } from '@arboleda/media/photos/photo.ts';
import type { KeptPhotos } from '@arboleda/media/photos/photos.ts';
import type { NewCode } from '@arboleda/orders/certificate/certificate.ts';
import { counted } from '@arboleda/orders/figures/counters.ts';
import { positionOf } from '@arboleda/orders/list/listing.ts';
import type { Order } from '@arboleda/orders/order/order.ts';
import { withReactions } from '@arboleda/orders/reactions.ts';
import type { OrderStore } from '@arboleda/orders/store.ts';
import { emailKeyOf } from '@arboleda/orders/order/table.ts';
import type { Fault } from './faults.ts';
import type { Process } from './simulator.ts';

/** Called after each write, with the record before and after it. */
export type Watch = (table: string, before: object | undefined, after: object) => void;

interface Kept<T> {
  record: T;
  version: number;
  /** Ids of events that were applied. */
  consumed: ReadonlySet<string>;
}

interface MemoryRecords<T> extends Records<T> {
  all(): T[];
}

/**
 * A table of one service in memory. As in PostgreSQL, the record, its events and jobs, and the id of the consumed event are one write.
 */
export function memoryRecords<T extends object>(
  table: string,
  idOf: (record: T) => string,
  { process, fault, watch }: { process: Process; fault: Fault | undefined; watch: Watch },
): MemoryRecords<T> {
  const kept = new Map<string, Kept<T>>();
  return {
    all: () => [...kept.values()].map(({ record }) => record),
    async get(id) {
      process.touch();
      return kept.get(id)?.record;
    },
    async change(id, decide, { eventId } = {}) {
      process.touch();
      const others = process.meanwhile();
      if (others) await others;
      const before = kept.get(id);
      if (eventId !== undefined && before?.consumed.has(eventId)) return before.record;
      const current = fault?.sees ? (fault.sees(table, before?.record) as T | undefined) : before?.record;
      const consumed = eventId === undefined ? before?.consumed : new Set(before?.consumed).add(eventId);
      let change = decide(current);
      if (!change) {
        if (before && consumed) kept.set(id, { ...before, consumed });
        return before?.record;
      }
      if (fault?.writes) change = fault.writes(table, before?.record, change) as Change<T>;
      const { record, events = [], jobs = [] } = change;
      if (idOf(record) !== id) throw new Error(`${table} ${idOf(record)} was decided on as ${id}`);
      const version = (before?.version ?? 0) + 1;
      kept.set(id, { record, version, consumed: consumed ?? new Set() });
      process.commit(events, jobs, version);
      watch(table, before?.record, record);
      process.mayCrash();
      return record;
    },
  };
}

/** The part of the store that consumers and checks use. */
export type Orders = Records<Order> &
  Pick<OrderStore, 'ofCustomer' | 'giftsClaimedBy' | 'giftsTo' | 'paidTrees'>;

export function memoryOrders(records: MemoryRecords<Order>, clock: () => Date, newCode: NewCode): Orders {
  const placeOf = (order: Order) => positionOf(order, 'newest').join(' ');
  return {
    ...withReactions(records, clock, newCode),
    async ofCustomer(emailKey, { after, limit }) {
      return records
        .all()
        .filter(({ customer }) => emailKeyOf(customer.email) === emailKey)
        .filter((order) => !after || placeOf(order) < after.join(' '))
        .sort((a, b) => (placeOf(a) < placeOf(b) ? 1 : -1))
        .slice(0, limit);
    },
    giftsClaimedBy: async (accountId) =>
      records.all().filter(({ gift }) => gift?.claim?.accountId === accountId),
    giftsTo: async (email) => records.all().filter(({ gift }) => gift?.recipientEmail === email),
    async paidTrees() {
      const paid = records
        .all()
        .map(counted)
        .filter(({ standing }) => standing === 'paid');
      const treesOf = (some: typeof paid) => some.reduce((sum, { trees }) => sum + trees, 0);
      return {
        funded: treesOf(paid),
        planted: treesOf(paid.filter(({ status }) => isPlanted(status))),
        photographed: treesOf(paid.filter((one) => one.is_photographed)),
      };
    },
  };
}

export function memoryPhotos(records: MemoryRecords<Photo>): KeptPhotos {
  const where = (isSought: (photo: Photo) => boolean) => records.all().filter(isSought);
  return {
    get: records.get,
    change: records.change,
    byFilenames: async (filenames) => where(({ filename }) => filenames.includes(filename)),
    byClientKey: async (clientKey) => where((photo) => photo.clientKey === clientKey)[0],
    ofFiles: async (contentHashes) => where(({ contentHash }) => contentHashes.includes(contentHash)),
  };
}

export function memoryAssignments(
  assignments: MemoryRecords<Assignment>,
  workers: MemoryRecords<WorkerProfile>,
  clock: () => Date,
): AssignmentStore {
  const treesOf = (some: readonly Assignment[]) => some.reduce((sum, { trees }) => sum + trees, 0);
  const roster = (): WorkerWithLoad[] => {
    const all = assignments.all();
    return workers
      .all()
      .filter(({ active }) => active)
      .map((worker) => {
        const own = all.filter(({ progress }) => progress.worker?.workerId === worker.id);
        const open = own.filter(({ progress }) => progress.status !== 'completed');
        const planted = own.filter(({ progress }) => progress.status !== 'assigned');
        return {
          ...worker,
          openAssignments: open.length,
          openTrees: treesOf(open),
          treesPlanted: treesOf(planted),
        };
      });
  };
  const require = (need: Need, { progress, trees }: Assignment) => {
    const worker = roster().find(({ id }) => id === progress.worker?.workerId);
    if (!worker || (need === 'room' && !hasRoom(worker, { trees }))) throw new WorkerUnavailable();
  };
  const pageOf = async function* <T>(found: readonly T[], keyOf: (one: T) => string) {
    if (found.length > 0) yield found.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  };
  const waiting = () => assignments.all().filter(isWaiting);
  const visitPages = async function* (
    isSought: (visit: ListedVisit) => boolean,
  ): AsyncGenerator<VisitPlace[]> {
    const found = assignments.all().flatMap((assignment) =>
      listedVisits(assignment)
        .filter(isSought)
        .map(({ visitId }) => ({ visitId, assignmentId: assignment.id })),
    );
    yield* pageOf(found, ({ visitId }) => visitId);
  };

  return {
    assignments,
    workers,
    change: (id, decide, { needs, ...options } = {}) =>
      assignments.change(
        id,
        (current) => {
          const change = decide(current);
          if (change && needs) require(needs, change.record);
          return change && inStep(current, change, clock().toISOString());
        },
        options,
      ),
    roster: async () => roster(),
    async *waitingPages() {
      const keyOf = ({ orderedAt, id }: Assignment) => `${orderedAt} ${id}`;
      yield* pageOf(
        waiting().filter((one) => one.isReleased),
        keyOf,
      );
      yield* pageOf(
        waiting().filter((one) => !one.isReleased),
        keyOf,
      );
    },
    countWaiting: async () => waiting().length,
    assignedPages: (workerId) =>
      pageOf(
        assignments
          .all()
          .filter(({ progress }) => progress.status === 'assigned' && progress.worker?.workerId === workerId),
        ({ progress, id }) => `${progress.assignedAt} ${id}`,
      ),
    dueVisitPages: (workerId, now) =>
      visitPages((visit) => visit.phase === 'open' && visit.workerId === workerId && visit.dueAt! <= now),
    noticePages: (now) => visitPages(({ noticeAt }) => noticeAt !== undefined && noticeAt <= now),
  };
}
