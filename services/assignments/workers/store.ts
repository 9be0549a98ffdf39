import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { openTable, type Records } from '@arboleda/chassis/records.ts';
import { type Page, type PageQuery, readPage, type Section } from '../pages.ts';
import { type Load, NO_LOAD, withLoad, type WorkerProfile, type WorkerWithLoad } from './worker.ts';

export interface WorkerStore {
  workers: Pick<Records<WorkerProfile>, 'get' | 'change'>;
  /** Active workers with what is open now. */
  roster(): Promise<WorkerWithLoad[]>;
}

export interface WorkerLists {
  worker(id: string): Promise<WorkerWithLoad | undefined>;
  /** All workers by code. */
  workersByCode(query: PageQuery): Promise<Page<WorkerWithLoad>>;
  loadOf(workerId: string): Promise<Load>;
}

interface ProfileRow {
  code: string;
  name: string;
  email: string;
  region: string;
  language: WorkerProfile['language'];
  active: boolean;
  capacity_trees: number;
  sequence: number;
  occurred_at: string | Date;
}

const PROFILE = [
  'code', 'name', 'email', 'region', 'language', 'active', 'capacity_trees', 'sequence', 'occurred_at',
] as const; // prettier-ignore

const LOAD = `assigned, planted, completed, assigned_trees as "assignedTrees", planted_trees as "plantedTrees",
  completed_trees as "completedTrees"`;

type LoadedRow = ProfileRow & Load & { id: string };

export function openWorkerStore(sql: Sql): WorkerStore & WorkerLists {
  const workers = openTable<WorkerProfile, ProfileRow>(sql, {
    table: 'workers',
    columns: PROFILE,
    toRow: ({ _id, capacityTrees, occurredAt, ...profile }) => ({
      ...profile,
      capacity_trees: capacityTrees,
      occurred_at: occurredAt,
    }),
    fromRow: profileOf,
  });
  const loaded = async (rest: string, values: readonly unknown[] = []): Promise<WorkerWithLoad[]> => {
    const { rows } = await sql.query<LoadedRow>(
      `select id, ${PROFILE.join(', ')}, ${LOAD} from workers ${rest}`,
      values,
    );
    return rows.map(({ assigned, planted, completed, assignedTrees, plantedTrees, completedTrees, ...row }) =>
      withLoad(profileOf(row), {
        assigned,
        planted,
        completed,
        assignedTrees,
        plantedTrees,
        completedTrees,
      }),
    );
  };
  const byCode: Section<WorkerWithLoad> = {
    name: 'code',
    read: ({ limit, after }) =>
      loaded(`where $2::text is null or (code, id) > ($2, $3) order by code, id limit $1`, [
        limit,
        after?.[0],
        after?.[1],
      ]),
    placeOf: ({ code, _id }) => [code, _id],
  };

  return {
    workers,
    roster: () => loaded('where active order by id'),
    worker: async (id) => (await loaded('where id = $1', [id]))[0],
    workersByCode: (query) => readPage([byCode], query),
    async loadOf(workerId) {
      const { rows } = await sql.prepared<Load & { id: string }>(
        `select ${LOAD} from workers where id = $1`,
        [workerId],
      );
      return rows[0] ?? NO_LOAD;
    },
  };
}

const profileOf = ({
  id,
  capacity_trees: capacityTrees,
  occurred_at: occurredAt,
  ...profile
}: ProfileRow & { id: string }): WorkerProfile => ({
  _id: id,
  ...profile,
  capacityTrees,
  occurredAt: new Date(occurredAt).toISOString(),
});
