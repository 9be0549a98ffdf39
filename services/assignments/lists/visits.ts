import type { Collection } from '@arboleda/chassis/ports/documents.ts';
import type { VisitRow, VisitState } from '../growth/rows.ts';
import { batchesOf, type Page, type PageQuery, readPage, type Section } from './pages.ts';

type ListedState = Exclude<VisitState, 'waiting' | 'cancelled'>;

export interface VisitLists {
  /** Due ones, the longest due first; those to come; then those done, newest first. */
  visitsOf(
    workerId: string,
    now: string,
    query: PageQuery<VisitRow> & { state?: ListedState | undefined },
  ): Promise<Page<VisitRow>>;
  visitCounts(workerId: string, now: string): Promise<Record<ListedState, number>>;
  countVisitsDue(workerId: string, now: string): Promise<number>;
  /** Somebody's due visits, some at a time. */
  dueVisitPages(workerId: string, now: string): AsyncGenerator<VisitRow[]>;
  /** Visits of which somebody is to hear by now, some at a time. */
  noticePages(now: string): AsyncGenerator<VisitRow[]>;
}

const DUE = ['dueAt', ({ dueAt }: VisitRow) => dueAt] as const;
const NOTICE = ['noticeAt', ({ noticeAt }: VisitRow) => noticeAt] as const;

export function visitLists(visits: Collection<VisitRow>): VisitLists {
  const ofState = (workerId: string, state: ListedState, now: string) => ({
    workerId,
    phase: state === 'done' ? 'done' : 'open',
    ...(state === 'due' && { dueAt: { lte: now } }),
    ...(state === 'scheduled' && { dueAt: { gt: now } }),
  });
  const section = (workerId: string, state: ListedState, now: string): Section<VisitRow> => {
    const field = state === 'done' ? 'doneAt' : 'dueAt';
    const direction = state === 'done' ? 'desc' : 'asc';
    return {
      name: state,
      read: (query) =>
        visits.find({
          where: ofState(workerId, state, now),
          sort: [
            { field, direction },
            { field: '_id', direction },
          ],
          ...query,
        }),
      placeOf: (row) => [row[field] ?? '', row._id],
    };
  };
  const count = (workerId: string, state: ListedState, now: string) =>
    visits.count(ofState(workerId, state, now));

  return {
    visitsOf(workerId, now, { state, ...query }) {
      const states = state ? [state] : (['due', 'scheduled', 'done'] as const);
      return readPage(
        states.map((one) => section(workerId, one, now)),
        query,
      );
    },

    async visitCounts(workerId, now) {
      const [due, scheduled, done] = await Promise.all([
        count(workerId, 'due', now),
        count(workerId, 'scheduled', now),
        count(workerId, 'done', now),
      ]);
      return { due, scheduled, done };
    },

    countVisitsDue: (workerId, now) => count(workerId, 'due', now),
    dueVisitPages: (workerId, now) => batchesOf(visits, ofState(workerId, 'due', now), DUE),
    noticePages: (now) => batchesOf(visits, { noticeAt: { lte: now } }, NOTICE),
  };
}
