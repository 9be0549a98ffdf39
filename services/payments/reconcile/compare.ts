import type { Jobs } from '@arboleda/chassis/ports/jobs.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { LIST_NAMES, type ListName, type ListReport, type ReadList } from './lists.ts';

const HOUR_MS = 60 * 60_000;
/** Objects appear on Stripe's lists with a delay, and change soon after they are created. */
const OVERLAP_MS = HOUR_MS;
/** How far back the first comparison of a new installation goes. */
const FIRST_MS = 24 * HOUR_MS;
const POLL_MS = 250;

interface Comparison {
  /** Compares what is new since the last run. Skips the run when another process holds the lease. */
  regular(): Promise<ListReport[]>;
  /** Compares everything since then, after waiting for the lease. */
  since(since: Date): Promise<ListReport[]>;
}

/** Compares Stripe's lists with the database, one process at a time. */
export function openComparison(parts: {
  sql: Sql;
  lists: Record<ListName, ReadList>;
  clock: () => Date;
}): Comparison {
  const { sql, lists, clock } = parts;

  async function watermark(list: ListName): Promise<Date> {
    const { rows } = await sql.query<{ until: Date }>('select until from reconciled_lists where name = $1', [
      list,
    ]);
    const until = rows[0]?.until.getTime();
    return new Date(until === undefined ? clock().getTime() - FIRST_MS : until - OVERLAP_MS);
  }

  /** A list that failed or was not read to its end starts at the same point next time. */
  async function remember({ list, fault, failed }: ListReport, begunAt: Date): Promise<void> {
    if (fault !== undefined || failed > 0) return;
    await sql.query(
      `insert into reconciled_lists (name, until) values ($1, $2)
       on conflict (name) do update set until = greatest(reconciled_lists.until, $2)`,
      [list, begunAt],
    );
  }

  async function run(lease: Lease, startOf: (list: ListName) => Promise<Date>): Promise<ListReport[]> {
    const reports: ListReport[] = [];
    try {
      for (const list of LIST_NAMES) {
        await lease.renew();
        const begunAt = clock();
        const report = await lists[list](await startOf(list), lease.renew);
        reports.push(report);
        await remember(report, begunAt);
      }
    } finally {
      await lease.release();
    }
    return reports;
  }

  async function lease(): Promise<Lease> {
    for (;;) {
      const taken = await takeLease(sql, clock);
      if (taken) return taken;
      await pause(POLL_MS);
    }
  }

  return {
    async regular() {
      const taken = await takeLease(sql, clock);
      return taken ? run(taken, watermark) : [];
    },
    since: async (since) =>
      // Starts where the last comparison ended, so there is no gap.
      run(
        await lease(),
        async (list) => new Date(Math.min(since.getTime(), (await watermark(list)).getTime())),
      ),
  };
}

/** A lease expires after this long without renewal. */
const LEASE_MS = 2 * 60_000;

interface Lease {
  /** @throws an Error when the lease expired and another process took it */
  renew(): Promise<void>;
  release(): Promise<void>;
}

/** One holder over all processes. @returns undefined when another process holds the lease */
export async function takeLease(sql: Sql, clock: () => Date): Promise<Lease | undefined> {
  const holder = randomUUID();
  const until = () => new Date(clock().getTime() + LEASE_MS);
  const { rowCount } = await sql.query(
    'update reconciler_lease set holder = $1, until = $2 where holder is null or until < $3',
    [holder, until(), clock()],
  );
  if (rowCount === 0) return undefined;
  return {
    async renew() {
      const renewed = await sql.query('update reconciler_lease set until = $2 where holder = $1', [
        holder,
        until(),
      ]);
      if (renewed.rowCount === 0) throw new Error('another process took the comparison over');
    },
    async release() {
      await sql.query(`update reconciler_lease set holder = null where holder = $1`, [holder]);
    },
  };
}

/** Job that runs a comparison requested by an operator. Payload: `{ id }`. */
const COMPARE_JOB = 'compare-with-stripe';

/** Runs comparisons requested by an operator in the service, which has the credentials for Stripe. */
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

/** @returns the comparison's id */
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
