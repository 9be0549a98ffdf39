import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { type Lease, takeLease } from './lease.ts';
import { LIST_NAMES, type ListName, type ListReport, type ReadList } from './lists.ts';

const HOUR_MS = 60 * 60_000;
/** Objects appear on Stripe's lists with delay, and change soon after they were made. */
const OVERLAP_MS = HOUR_MS;
/** How far the first comparison of a new installation looks back. */
const FIRST_MS = 24 * HOUR_MS;
const POLL_MS = 250;

export interface Comparison {
  /** Compares what is new on Stripe's lists since the last time; nothing when another process is at it. */
  regular(): Promise<ListReport[]>;
  /** Compares all since then, after whoever is at it. */
  since(since: Date): Promise<ListReport[]>;
}

/** Compares Stripe's lists with our books; one process at a time. */
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

  /** A list that was not read to its end, or where something failed, is read from the same point next time. */
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
      // Nothing is left out between where the last comparison ended and this one begins.
      run(
        await lease(),
        async (list) => new Date(Math.min(since.getTime(), (await watermark(list)).getTime())),
      ),
  };
}
