import pg from 'pg';

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

const QUIET_MS = 300;
const SETTLED_WITHIN_MS = 60_000;

/** The product's database, looked at from outside. */
export async function openState(databaseUrl: string): Promise<State> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const tables = async (): Promise<string[]> => {
    const { rows } = await client.query<{ name: string }>(
      `select table_schema || '.' || table_name as name from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema') order by 1`,
    );
    const names = rows.map(({ name }) => name);
    return names.filter((name) => !OWN_LIFE.some((pattern) => pattern.test(name)));
  };
  const digestOf = async (names: readonly string[]): Promise<Record<string, string>> => {
    // The newest transaction that touched a row, and how many rows there are.
    const asked = names.map((name) => {
      const quoted = name.split('.').map(pg.escapeIdentifier).join('.');
      return `select ${pg.escapeLiteral(name)} as name, count(*) || ':' || coalesce(max(xmin::text::bigint), 0) as is from ${quoted}`;
    });
    const { rows } = await client.query<{ name: string; is: string }>(asked.join(' union all '));
    return Object.fromEntries(rows.map(({ name, is }) => [name, is]));
  };
  return {
    digest: async () => digestOf(await tables()),
    async settled() {
      const until = Date.now() + SETTLED_WITHIN_MS;
      let before = '';
      for (;;) {
        const now = JSON.stringify(await digestOf(await tables()));
        if (now === before) return;
        if (Date.now() > until) throw new Error('what is stored keeps changing');
        before = now;
        await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
      }
    },
    close: () => client.end(),
  };
}
