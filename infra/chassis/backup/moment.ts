import type pg from 'pg';
import { openSession } from './rows.ts';

/** Nobody can decide anything while outboxes are locked, so locks end by themselves, also when whoever asked is gone. */
const LOCK_WITHIN_MS = 5_000;
const HELD_AT_MOST_MS = 10_000;

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
  /** @throws when the lock has ended meanwhile: then the snapshots are of no common moment */
  held(): Promise<void>;
  release(): Promise<void>;
  close(): Promise<void>;
}

export async function openMoment(databaseUrl: string, service: string): Promise<Moment> {
  const client = await openSession(databaseUrl);
  const locking = await openSession(databaseUrl);
  let ending: NodeJS.Timeout | undefined;
  const release = async () => {
    clearTimeout(ending);
    ending = undefined;
    await locking.query('rollback');
  };
  return {
    client,
    async hold() {
      await client.query('rollback');
      await locking.query(
        `begin; set local lock_timeout = ${LOCK_WITHIN_MS}; lock table ${service}._outbox in share mode`,
      );
      ending = setTimeout(() => void release().catch(() => undefined), HELD_AT_MOST_MS);
    },
    async snapshot() {
      await client.query('begin isolation level repeatable read read only');
      // The first statement takes the snapshot.
      await client.query('select pg_current_snapshot()');
    },
    async held() {
      if (ending === undefined) throw new Error(`${service} could not be held for as long as it took`);
    },
    release,
    close: async () => void (await Promise.all([client.end(), locking.end()])),
  };
}
