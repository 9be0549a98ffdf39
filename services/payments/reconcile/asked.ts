import type { Jobs } from '@arboleda/chassis/ports/jobs.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { randomUUID } from 'node:crypto';
import type { Comparison } from './compare.ts';
import type { ListReport } from './lists.ts';

/** The job that does a comparison an operator asked for: `{ id }`. */
const COMPARE_JOB = 'compare-with-stripe';

/** Comparisons that an operator asks for are done by the service, which knows how to reach Stripe. */
export const serveAskedComparisons = (parts: {
  sql: Sql;
  jobs: Jobs;
  comparison: Pick<Comparison, 'since'>;
  clock: () => Date;
}): Promise<void> => {
  const { sql, jobs, comparison, clock } = parts;
  return jobs.handle(COMPARE_JOB, async ({ id }) => {
    const { rows } = await sql.query<{ since: Date }>(
      'update reconciliations set begun_at = $2 where id = $1 and ended_at is null returning since',
      [id, clock()],
    );
    if (!rows[0]) return;
    const report = await comparison.since(rows[0].since);
    await sql.query('update reconciliations set ended_at = $2, report = $3 where id = $1', [
      id,
      clock(),
      JSON.stringify(report),
    ]);
  });
};

/** @returns the comparison's id. */
export async function askForComparison(sql: Sql, since: Date, now: Date): Promise<string> {
  const id = randomUUID();
  await sql.transaction(async (tx) => {
    await tx.query('insert into reconciliations (id, since, asked_at) values ($1, $2, $3)', [id, since, now]);
    await tx.enqueue([{ name: COMPARE_JOB, payload: { id } }]);
  });
  return id;
}

export interface AskedComparison {
  isBegun: boolean;
  report: ListReport[] | undefined;
}

export async function askedComparison(sql: Sql, id: string): Promise<AskedComparison> {
  const { rows } = await sql.query<{ begun_at: Date | null; report: ListReport[] | null }>(
    'select begun_at, report from reconciliations where id = $1',
    [id],
  );
  return { isBegun: Boolean(rows[0]?.begun_at), report: rows[0]?.report ?? undefined };
}
