import type pg from 'pg';
import type { Logger } from '../../../log.ts';

/** First half of the advisory locks that living runners hold; the second is made of their ids: see `idHash`. */
export const ALIVE_LOCK = 0x61726264;
/** SQL for the second half, of an SQL expression for the id. */
export const idHash = (id: string) => `hashtext(${id}) & 2147483647`;

const RECONNECT_MS = 500;

/** Shows that the runners of this process live: locks on one connection, gone the moment the process is. */
export interface Presence {
  announce(runnerId: string): void;
  /** It has ended: what it still holds is free. */
  retire(runnerId: string): void;
  close(): Promise<void>;
}

export function openPresence(pool: pg.Pool, logger: Logger): Presence {
  const ids = new Set<string>();
  let closed = false;
  let client: Promise<pg.PoolClient> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let work = Promise.resolve();

  const connect = async (): Promise<pg.PoolClient> => {
    const connection = await pool.connect();
    connection.once('error', () => {
      // close() has given it back already.
      if (closed) return;
      connection.release(true);
      reconnect();
    });
    return connection;
  };
  const lock = async (runnerIds: readonly string[]) => {
    const connection = await (client ??= connect());
    for (const id of runnerIds)
      await connection.query(`select pg_advisory_lock($1, ${idHash('$2')})`, [ALIVE_LOCK, id]);
  };
  const hold = (runnerIds: readonly string[]) => {
    work = work
      .then(() => lock(runnerIds))
      .catch((error: unknown) => {
        logger.warn({ err: error }, 'the runners cannot announce themselves');
        reconnect();
      });
  };
  const reconnect = () => {
    client = undefined;
    clearTimeout(timer);
    if (!closed) timer = setTimeout(() => hold([...ids]), RECONNECT_MS);
  };

  return {
    announce(runnerId) {
      ids.add(runnerId);
      hold([runnerId]);
    },
    retire(runnerId) {
      ids.delete(runnerId);
      if (closed) return;
      work = work
        .then(async () => {
          const connection = await client;
          await connection?.query(`select pg_advisory_unlock($1, ${idHash('$2')})`, [ALIVE_LOCK, runnerId]);
        })
        .catch((error: unknown) => logger.warn({ err: error }, 'a runner cannot take its leave'));
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await work;
      const connection = await client?.catch(() => undefined);
      // Ends the session and its locks.
      connection?.release(true);
    },
  };
}
