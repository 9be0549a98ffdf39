import type pg from 'pg';
import { waitFor } from '../harness/wait.ts';

export type Rows = <Row extends pg.QueryResultRow>(
  text: string,
  values?: readonly unknown[],
) => Promise<Row[]>;

/** Jobs that are due within this time count as being under way. */
const SOON = '5 seconds';
const SETTLED_WITHIN_MS = 120_000;

/**
 * Resolves when everything that was begun in the embedded tier is finished: nothing waits to be published or handled.
 * What is repeated every few seconds is no work.
 */
export async function settled(rows: Rows): Promise<void> {
  const outboxes = await rows<{ name: string }>(
    `select quote_ident(table_schema) || '._outbox' as name from information_schema.tables where table_name = '_outbox'`,
  );
  const waiting = [
    `select count(*)::int as n from graphile_worker.jobs
     where attempts < max_attempts and (locked_at is not null or run_at < now() + interval '${SOON}')`,
    ...outboxes.map(({ name }) => `select count(*)::int as n from ${name}`),
  ];
  let quietTimes = 0;
  await waitFor(
    'everything that was begun to be finished',
    async () => {
      const counts = await rows<{ n: number }>(waiting.join(' union all '));
      quietTimes = counts.every(({ n }) => n === 0) ? quietTimes + 1 : 0;
      return quietTimes > 2;
    },
    SETTLED_WITHIN_MS,
  );
}
