import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { openTable, type Records } from '@arboleda/chassis/records.ts';
import { type Page, type PageQuery, readPage, type Section } from '../pages.ts';
import { type Load, NO_LOAD, withLoad, type WorkerProfile, type WorkerWithLoad } from './worker.ts';

export interface WorkerStore {
  workers: Pick<Records<WorkerProfile>, 'get' | 'change'>;
  roster(): Promise<WorkerWithLoad[]>;
}

export interface WorkerLists {
  worker(id: string): Promise<WorkerWithLoad | undefined>;
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
  occurred_at: Date;
}

const PROFILE = [
  'code',
  'name',
  'email',
  'region',
  'language',
  'active',
  'capacity_trees',
  'sequence',
  'occurred_at',
] as const;

const LOAD = `jsonb_build_object('assigned', assigned, 'planted', planted, 'completed', completed,
  'assignedTrees', assigned_trees, 'plantedTrees', planted_trees, 'completedTrees', completed_trees) as load`;

type LoadedRow = ProfileRow & { id: string; load: Load };

export function openWorkerStore(sql: Sql): WorkerStore & WorkerLists {
  const workers = openTable<WorkerProfile, ProfileRow>(sql, {
    table: 'workers',
    columns: PROFILE,
    idOf: ({ id }) => id,
    toRow: ({ capacityTrees, occurredAt, ...profile }) => ({
      ...profile,
      capacity_trees: capacityTrees,
      occurred_at: new Date(occurredAt),
    }),
    fromRow: profileOf,
  });
  const loaded = async (rest: string, values: readonly unknown[] = []): Promise<WorkerWithLoad[]> => {
    const { rows } = await sql.prepared<LoadedRow>(
      `select id, ${PROFILE.join(', ')}, ${LOAD} from workers ${rest}`,
      values,
    );
    return rows.map(({ load, ...row }) => withLoad(profileOf(row), load));
  };
  const byCode: Section<WorkerWithLoad> = {
    name: 'code',
    read: ({ limit, after }) =>
      loaded(`where $2::text is null or (code, id) > ($2, $3) order by code, id limit $1`, [
        limit,
        after?.[0],
        after?.[1],
      ]),
    placeOf: ({ code, id }) => [code, id],
  };

  return {
    workers,
    roster: () => loaded('where active'),
    worker: async (id) => (await loaded('where id = $1', [id]))[0],
    workersByCode: (query) => readPage([byCode], query),
    async loadOf(workerId) {
      const { rows } = await sql.prepared<{ load: Load }>(`select ${LOAD} from workers where id = $1`, [
        workerId,
      ]);
      return rows[0]?.load ?? NO_LOAD;
    },
  };
}

const profileOf = ({
  id,
  capacity_trees: capacityTrees,
  occurred_at: occurredAt,
  ...profile
}: ProfileRow & { id: string }): WorkerProfile => ({
  id,
  ...profile,
  capacityTrees,
  occurredAt: occurredAt.toISOString(),
});
