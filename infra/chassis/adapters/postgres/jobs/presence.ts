import type pg from 'pg';
import type { Logger } from '../../../log.ts';

/** First key of the advisory locks of live runners; `idHash` makes the second. */
export const ALIVE_LOCK = 0x61726264;
/** SQL for the second key. @param id an SQL expression */
export const idHash = (id: string) => `hashtext(${id}) & 2147483647`;

const RECONNECT_MS = 500;

/** Shows which runners are alive, by advisory locks on one connection. The locks vanish with the process. */
export interface Presence {
  announce(runnerId: string): void;
  /** Releases the runner's lock, so that its jobs are released too. */
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
      // close() has released it already.
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
      // Closes the connection, which releases its locks.
      connection?.release(true);
    },
  };
}
