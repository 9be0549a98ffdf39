import type pg from 'pg';
import { familyMs, ownMs } from './processor.ts';
import type { Relay } from './relay.ts';

/** Work that was done, by kind, in the units of WORK_UNITS. */
export interface Work {
  queries: number;
  roundTrips: number;
  bytesSent: number;
  bytesReceived: number;
  /** Events, one for each group that listens. */
  deliveries: number;
  jobs: number;
  productMs: number;
  postgresMs: number;
}

/** Work whose kinds are each read on their own. */
export const workOf = (read: (kind: keyof Work) => number): Work => ({
  queries: read('queries'),
  roundTrips: read('roundTrips'),
  bytesSent: read('bytesSent'),
  bytesReceived: read('bytesReceived'),
  deliveries: read('deliveries'),
  jobs: read('jobs'),
  productMs: read('productMs'),
  postgresMs: read('postgresMs'),
});

export const WORK_UNITS: Record<keyof Work, string> = {
  queries: 'SQL statements',
  roundTrips: 'round trips to PostgreSQL',
  bytesSent: 'bytes to PostgreSQL',
  bytesReceived: 'bytes from PostgreSQL',
  deliveries: 'deliveries of events',
  jobs: 'jobs',
  productMs: 'CPU of the product’s process, ms (with the sandbox in it)',
  postgresMs: 'CPU of PostgreSQL, ms',
};

export interface Measured extends Work {
  seconds: number;
  statements: ReadonlyMap<string, number>;
}

/** Reads all that counts work, before and behind what is done. */
export function openMeter(parts: {
  relay: Relay;
  database: pg.Client;
  productPid: number;
  postgresPid: number;
}) {
  const { relay, database, productPid, postgresPid } = parts;

  /** Sequences count what was ever put into a table, also what left it again. */
  const sequences = async (names: string): Promise<number> => {
    const { rows } = await database.query<{ sum: string }>(
      `select coalesce(sum(last_value), 0) as sum from pg_sequences where schemaname || '.' || sequencename like $1`,
      [names],
    );
    return Number(rows[0]!.sum);
  };
  const read = async (): Promise<Measured> => ({
    ...relay.traffic(),
    deliveries: await sequences('chassis.deliveries\\_seq\\_seq'),
    jobs: await sequences('graphile\\_worker.%jobs\\_id\\_seq%'),
    productMs: ownMs(productPid),
    postgresMs: familyMs(postgresPid),
    seconds: performance.now() / 1000,
    statements: relay.statements(),
  });

  return {
    async during(work: () => Promise<unknown>): Promise<Measured> {
      const before = await read();
      await work();
      return difference(await read(), before);
    },
  };
}

function difference(after: Measured, before: Measured): Measured {
  const statements = [...after.statements].map(
    ([text, times]) => [text, times - (before.statements.get(text) ?? 0)] as const,
  );
  return {
    ...workOf((kind) => after[kind] - before[kind]),
    seconds: after.seconds - before.seconds,
    statements: new Map(statements),
  };
}
