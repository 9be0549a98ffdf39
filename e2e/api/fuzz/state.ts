import pg from 'pg';
import { openDatabase } from '../../harness/database.ts';
import { type Rows, settled } from '../../harness/settled.ts';
import { waitFor } from '../../harness/wait.ts';

/** Schemas and tables that change by themselves, or count calls: nothing a person would call a change. */
const OWN_LIFE = [
  /^graphile_worker\./,
  /^events\./,
  /^[^.]+\.(outbox|consumed_events|rate_limits|known_networks|migrations)$/,
  // Compares itself with the card provider every few minutes.
  /^payments\.(reconciler_lease|reconciled_lists)$/,
];

export interface State {
  /** Changes when anything stored is written, changed or deleted. */
  digest(): Promise<Record<string, string>>;
  /** Resolves when nothing changes any more: what was begun is finished. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

const PHOTOS_WITHOUT_PICTURES = 'select from media.photos where due_at is not null';

/** The product's database, looked at from outside. */
export async function openState(databaseUrl: string): Promise<State> {
  const client = await openDatabase(databaseUrl);
  const rows: Rows = async (text, values) => (await client.query(text, values as unknown[])).rows;
  const tables = (
    await rows<{ name: string }>(
      `select table_schema || '.' || table_name as name from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema') order by 1`,
    )
  )
    .map(({ name }) => name)
    .filter((name) => !OWN_LIFE.some((pattern) => pattern.test(name)));
  // The newest transaction that touched a row, and how many rows there are.
  const digest = tables
    .map((name) => {
      const quoted = name.split('.').map(pg.escapeIdentifier).join('.');
      return `select ${pg.escapeLiteral(name)} as name, count(*) || ':' || coalesce(max(xmin::text::bigint), 0) as is from ${quoted}`;
    })
    .join(' union all ');
  const prepared = { name: 'digest', text: digest };
  return {
    digest: async () =>
      Object.fromEntries(
        (await client.query<{ name: string; is: string }>(prepared)).rows.map(({ name, is }) => [name, is]),
      ),
    async settled() {
      await settled(rows);
      await waitFor('all pictures of photos', async () => (await rows(PHOTOS_WITHOUT_PICTURES)).length === 0);
    },
    close: () => client.end(),
  };
}
