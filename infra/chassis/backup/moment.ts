import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { openSession } from './rows.ts';

/** While outboxes are locked, nobody can decide anything: this bounds how long. */
export const HELD_AT_MOST_MS = 5_000;

/**
 * A session that can see its database at a moment that other databases share. `hold` locks the outbox, so that nothing that
 * others could hear of is committed; once all databases are held, each takes its snapshot; then all are released. What a
 * service knows of another's events was therefore committed there before the same moment.
 */
export interface Moment {
  client: pg.Client;
  /** @throws when the lock is not had in time */
  hold(): Promise<void>;
  snapshot(): Promise<void>;
  release(): Promise<void>;
  close(): Promise<void>;
}

export async function openMoment(databaseUrl: string, service: string): Promise<Moment> {
  const client = await openSession(databaseUrl);
  const locking = await openSession(databaseUrl);
  const release = async () => void (await locking.query('rollback'));
  return {
    client,
    async hold() {
      await client.query('rollback');
      await locking.query(
        `begin; set local lock_timeout = ${HELD_AT_MOST_MS}; lock table ${service}._outbox in share mode`,
      );
      // Whoever asked may be gone.
      void sleep(2 * HELD_AT_MOST_MS, undefined, { ref: false })
        .then(release)
        .catch(() => undefined);
    },
    async snapshot() {
      await client.query('begin isolation level repeatable read read only');
      // The first statement takes the snapshot.
      await client.query('select pg_current_snapshot()');
    },
    release,
    close: async () => void (await Promise.all([client.end(), locking.end()])),
  };
}
