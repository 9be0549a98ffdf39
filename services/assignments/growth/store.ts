import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import type { RecordTable } from '@arboleda/chassis/records.ts';
import type { Assignment } from '../assignment/assignment.ts';
import { batchesOf, isInstant, type Page, type PageQuery, readPage, type Section } from '../pages.ts';
import { type ShownVisit, shownVisits } from './visits.ts';

export interface VisitPlace {
  visitId: string;
  assignmentId: string;
}

export interface VisitRecords {
  dueVisitPages(workerId: string, now: string): AsyncGenerator<VisitPlace[]>;
  /** Visits with a notice due, in batches. */
  noticePages(now: string): AsyncGenerator<VisitPlace[]>;
}

type ListedState = 'due' | 'scheduled' | 'done';

export interface VisitLists {
  /** Due ones, longest overdue first; then future ones; then completed ones, newest first. */
  visitsOf(
    workerId: string,
    now: string,
    query: PageQuery & { state?: ListedState | undefined },
  ): Promise<Page<ShownVisit>>;
  visitCounts(workerId: string, now: string): Promise<Record<ListedState, number>>;
  visitsDue(workerIds: readonly string[], now: string): Promise<ReadonlyMap<string, number>>;
  /** Counts visits of all workers that were due before then. */
  countOverdue(before: string): Promise<number>;
}

interface Found extends VisitPlace {
  key: Date;
}

export function openVisitRecords(
  sql: Sql,
  assignments: Pick<RecordTable<Assignment>, 'select'>,
): VisitRecords & VisitLists {
  const find = async (key: string, rest: string, values: readonly unknown[]): Promise<Found[]> =>
    (
      await sql.query<Found>(
        `select id as "visitId", assignment_id as "assignmentId", ${key} as key from visits where ${rest}`,
        values,
      )
    ).rows;
  const placeOf = ({ key, visitId }: Found) => [key.toISOString(), visitId] as const;

  const section = (workerId: string, state: ListedState, now: string): Section<Found> => {
    const [key, direction, beyond] = state === 'done' ? ['done_at', 'desc', '<'] : ['due_at', 'asc', '>'];
    return {
      name: state,
      read: ({ limit, after }) =>
        find(
          key,
          `worker_id = $1 and ${CONDITIONS[state]}
             and ($3::timestamptz is null or (${key}, id) ${beyond} ($3, $4))
           order by ${key} ${direction}, id ${direction} limit $2`,
          [workerId, limit, after?.[0], after?.[1], ...(state === 'done' ? [] : [now])],
        ),
      placeOf,
      isKey: isInstant,
    };
  };

  return {
    dueVisitPages: (workerId, now) => batchesOf(section(workerId, 'due', now)),

    noticePages: (now) =>
      batchesOf({
        read: ({ limit, after }) =>
          find(
            'notice_at',
            `notice_at <= $1 and ($3::timestamptz is null or (notice_at, id) > ($3, $4))
             order by notice_at, id limit $2`,
            [now, limit, after?.[0], after?.[1]],
          ),
        placeOf,
      }),

    async visitsOf(workerId, now, { state, ...query }) {
      const states = state ? [state] : (['due', 'scheduled', 'done'] as const);
      const { items, ...more } = await readPage(
        states.map((one) => section(workerId, one, now)),
        query,
      );
      const found = await assignments.select('where id = any($1)', [
        [...new Set(items.map(({ assignmentId }) => assignmentId))],
      ]);
      const shown = new Map(found.flatMap(shownVisits).map((visit) => [visit._id, visit]));
      return { ...more, items: items.flatMap(({ visitId }) => shown.get(visitId) ?? []) };
    },

    async visitCounts(workerId, now) {
      const { rows } = await sql.query<Record<ListedState, number>>(
        `select count(*) filter (where due_at <= $2)::int as due, count(*) filter (where due_at > $2)::int as scheduled,
           (select count(*) from visits where worker_id = $1 and phase = 'done')::int as done
         from visits where worker_id = $1 and phase = 'open'`,
        [workerId, now],
      );
      return rows[0]!;
    },

    async visitsDue(workerIds, now) {
      const { rows } = await sql.query<{ worker_id: string; n: number }>(
        `select worker_id, count(*)::int as n from visits
         where worker_id = any($1) and phase = 'open' and due_at <= $2 group by worker_id`,
        [workerIds, now],
      );
      return new Map(rows.map(({ worker_id: workerId, n }) => [workerId, n]));
    },

    async countOverdue(before) {
      const { rows } = await sql.query<{ n: number }>(
        `select count(*)::int as n from visits where phase = 'open' and due_at < $1`,
        [before],
      );
      return rows[0]!.n;
    },
  };
}

/** `$5` is now. */
const CONDITIONS: Record<ListedState, string> = {
  due: `phase = 'open' and due_at <= $5`,
  scheduled: `phase = 'open' and due_at > $5`,
  done: `phase = 'done'`,
};
