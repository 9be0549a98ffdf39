import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { type ChangeOptions, openTable, type RecordTable, type Records } from '@arboleda/chassis/records.ts';
import { searchPatterns } from '@arboleda/contracts/search.ts';
import { changedVisits, inStep } from '../growth/visits.ts';
import { batchesOf, isInstant, type Page, type PageQuery, readPage, type Section } from '../pages.ts';
import { loadChanges, type Need, NO_LOAD, WorkerUnavailable } from '../workers/worker.ts';
import { type Assignment, isStaffed, type Staffed } from './assignment.ts';
import { type AssignmentRow, columns, fromRow, toRow } from './table.ts';

interface AssignmentChangeOptions extends ChangeOptions {
  /** Condition on the new worker; nothing is written unless it holds. */
  needs?: Need | undefined;
}

export interface AssignmentRecords {
  assignments: Pick<Records<Assignment>, 'get'>;
  /**
   * The only way to change an assignment. Growth visits and the workers' loads are updated with it.
   * @throws WorkerUnavailable
   */
  change(
    id: string,
    decide: Parameters<Records<Assignment>['change']>[1],
    options?: AssignmentChangeOptions,
  ): Promise<Assignment | undefined>;
  /** Orders that wait for a worker, in batches: released ones first, then new ones, each oldest first. */
  waitingPages(): AsyncGenerator<Assignment[]>;
  countWaiting(): Promise<number>;
  assignedPages(workerId: string): AsyncGenerator<Assignment[]>;
}

type FieldStatus = Staffed['progress']['status'];

export interface AssignmentLists {
  /** In order of urgency: assigned, oldest first; planted; completed, newest first. */
  ofWorker(
    workerId: string,
    query: PageQuery & { status?: FieldStatus | undefined; q?: string | undefined },
  ): Promise<Page<Staffed>>;
  /** Assignments changed since then, oldest change first, after `after`. */
  changedSince(
    since: string,
    after: readonly [updatedAt: string, id: string] | undefined,
    limit: number,
  ): Promise<Assignment[]>;
}

export function openAssignmentRecords(
  sql: Sql,
  clock: () => Date,
): AssignmentRecords & AssignmentLists & { assignments: RecordTable<Assignment> } {
  const opened = (needs?: Need): RecordTable<Assignment> =>
    openTable<Assignment, AssignmentRow>(sql, {
      table: 'assignments',
      columns,
      idOf: ({ id }) => id,
      toRow,
      fromRow,
      keepsTrace: true,
      alongside: {
        steps: FOLLOW,
        locks: 'counted',
        value: (before, after) => followers(before, after, needs),
      },
    });
  const table = opened();
  const demanding = { active: opened('active'), room: opened('room') };

  /** @param which condition of one of the partial indexes */
  const waiting = (which: string) =>
    batchesOf<Assignment>({
      read: ({ limit, after }) =>
        table.select(
          `where ${which} and ($2::timestamptz is null or (ordered_at, id) > ($2, $3)) order by ordered_at, id limit $1`,
          [limit, after?.[0], after?.[1]],
        ),
      placeOf: ({ orderedAt, id }) => [orderedAt, id],
    });
  const section = (
    workerId: string,
    status: FieldStatus,
    patterns: readonly string[] | null,
  ): Section<Staffed> => {
    const [date, direction, beyond] =
      status === 'completed' ? ['completed_at', 'desc', '<'] : ['assigned_at', 'asc', '>'];
    return {
      name: status,
      async read({ limit, after }) {
        const found = await table.select(
          `where worker_id = $1 and status = '${status}'
             and ($3::timestamptz is null or (${date}, id) ${beyond} ($3, $4))
             and ($5::text[] is null or search_text like any($5))
           order by ${date} ${direction}, id ${direction} limit $2`,
          [workerId, limit, after?.[0], after?.[1], patterns],
        );
        return found.filter(isStaffed);
      },
      placeOf: ({ progress, id }) => [
        (status === 'completed' ? progress.completedAt : progress.assignedAt) ?? '',
        id,
      ],
      isKey: isInstant,
    };
  };

  return {
    assignments: table,

    async change(id, decide, { needs, ...options } = {}) {
      const now = clock().toISOString();
      try {
        return await (needs ? demanding[needs] : table).change(
          id,
          (current) => {
            const change = decide(current);
            return change && inStep(current, change, now);
          },
          options,
        );
      } catch (error) {
        if ((error as { code?: string }).code === REFUSED) throw new WorkerUnavailable();
        throw error;
      }
    },

    async *waitingPages() {
      yield* waiting('is_released');
      yield* waiting(`status = 'pending'`);
    },

    async countWaiting() {
      const { rows } = await sql.query<{ n: number }>(
        `select (select count(*) from assignments where is_released)::int
           + (select count(*) from assignments where status = 'pending')::int as n`,
      );
      return rows[0]!.n;
    },

    assignedPages: (workerId) => batchesOf(section(workerId, 'assigned', null)),

    ofWorker(workerId, { status, q, ...query }) {
      const statuses = status ? [status] : (['assigned', 'planted', 'completed'] as const);
      const patterns = searchPatterns(q);
      return readPage(
        statuses.map((one) => section(workerId, one, patterns)),
        query,
      );
    },

    changedSince: (since, [key, id] = [since, ''], limit) =>
      table.select('where (updated_at, id) > ($1, $2) order by updated_at, id limit $3', [key, id, limit]),
  };
}

/** Updates of the tables that follow an assignment, in the statement that writes it. */
function followers(before: Assignment | undefined, after: Assignment, needs: Need | undefined) {
  const loads = new Map(loadChanges(before, after));
  const { worker } = after.progress;
  if (needs && worker) loads.set(worker.workerId, loads.get(worker.workerId) ?? NO_LOAD);
  return {
    visits: changedVisits(before, after),
    loads: [...loads].map(([workerId, load]) => ({
      ...load,
      workerId,
      ...(workerId === worker?.workerId && { needs }),
    })),
  };
}

/** SQLSTATE of the function refuse_worker. */
const REFUSED = 'AB001';

/**
 * `loaded` locks workers by id, after the assignment: concurrent statements see the current load, and cannot
 * deadlock. At most two rows match, the former and the new worker; the limit makes the planner use their
 * ids.
 */
const FOLLOW = `
  listed as (
    insert into visits (id, assignment_id, phase, worker_id, due_at, done_at, notice_at)
    select v."visitId", written.id, v.phase, v."workerId", v."dueAt", v."doneAt", v."noticeAt"
    from written, jsonb_to_recordset($3::jsonb -> 'visits') as v ("visitId" text, phase text, "workerId" text,
      "dueAt" timestamptz, "doneAt" timestamptz, "noticeAt" timestamptz)
    on conflict (id) do update set phase = excluded.phase, worker_id = excluded.worker_id, due_at = excluded.due_at,
      done_at = excluded.done_at, notice_at = excluded.notice_at
  ),
  loaded as materialized (
    select w.id, l.assigned, l.planted, l.completed, l."assignedTrees", l."plantedTrees", l."completedTrees",
      l.needs is not null and not (w.active and (l.needs = 'active' or
      w.assigned_trees + w.planted_trees + l."assignedTrees" + l."plantedTrees" <= w.capacity_trees)) as is_refused
    from written, workers w join (
      select "workerId", assigned, planted, completed, "assignedTrees", "plantedTrees", "completedTrees", needs
      from jsonb_to_recordset($3::jsonb -> 'loads') as l ("workerId" text, assigned integer, planted integer,
        completed integer, "assignedTrees" integer, "plantedTrees" integer, "completedTrees" integer, needs text)
      limit 2
    ) l on l."workerId" = w.id
    order by w.id for no key update of w
  ),
  counted as (
    update workers w set assigned = w.assigned + l.assigned, planted = w.planted + l.planted,
      completed = w.completed + l.completed, assigned_trees = w.assigned_trees + l."assignedTrees",
      planted_trees = w.planted_trees + l."plantedTrees", completed_trees = w.completed_trees + l."completedTrees"
    from loaded l where w.id = l.id and (not l.is_refused or refuse_worker(l.id))
    returning w.id
  )`;
