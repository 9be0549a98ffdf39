import type { Socket } from 'node:net';
import type pg from 'pg';

/** Longer than any statement may take: see `statement_timeout`. */
export const SILENT_MS = 17_000;
const ASK_EVERY_MS = 10_000;
const ANSWER_WITHIN_MS = 5_000;

/** What of a client its types leave out. */
type Client = pg.PoolClient & { readyForQuery: boolean; connection: { stream: Socket } };

const streamOf = (client: pg.PoolClient): Socket => (client as Client).connection.stream;
const isIdle = (client: pg.PoolClient): boolean => (client as Client).readyForQuery;
const gone = () => new Error('Connection terminated: the database says nothing any more');

/**
 * A network that drops a connection without a word leaves both ends waiting: the kernel gives up after a quarter of an
 * hour. A statement that is not answered in its time ends the connection instead, which fails it as lost.
 */
export function endWhenSilent(client: pg.PoolClient, silentMs = SILENT_MS): void {
  const stream = streamOf(client);
  stream.setTimeout(silentMs);
  stream.on('timeout', () => {
    if (!isIdle(client)) stream.destroy(gone());
  });
}

/** This session's statements may take as long as they like. */
export const allowSilence = (client: pg.PoolClient): void => void streamOf(client).setTimeout(0);
export const endSilence = (client: pg.PoolClient): void => void streamOf(client).setTimeout(SILENT_MS);

/** A connection that only listens, or only holds a lock, is asked now and then whether anybody is there. */
export function askNowAndThen(
  client: pg.PoolClient,
  everyMs = ASK_EVERY_MS,
  withinMs = ANSWER_WITHIN_MS,
): void {
  const asking = setInterval(() => {
    if (!isIdle(client)) return;
    const silent = setTimeout(() => streamOf(client).destroy(gone()), withinMs);
    client.query('select 1').then(
      () => clearTimeout(silent),
      () => clearTimeout(silent),
    );
  }, everyMs).unref();
  client.once('end', () => clearInterval(asking));
}
