import { type Db, MongoClient } from 'mongodb';
import type { Logger } from '../../log.ts';

/** One MongoDB, and on it a database for each service. */
export interface Mongo {
  database(service: string): Db;
  close(): Promise<void>;
}

const CONNECTIONS = 12;
const SELECT_WITHIN_MS = 3_000;
const CONNECT_WITHIN_MS = 3_000;
/** A server that fell silent is noticed after this and the time to connect. */
const HEARTBEAT_EVERY_MS = 2_000;
const ANSWER_WITHIN_MS = 15_000;
const WAIT_FOR_CONNECTION_MS = 10_000;

/**
 * Connects with the first operation. A lost connection is a log line, not the end of the process.
 * @param url a database named in it becomes a prefix: `mongodb://host/trial` keeps photos in `trial_media`. Without one
 * the service's database has the service's name.
 */
export function openMongo(url: string, logger: Logger): Mongo {
  const client = new MongoClient(url, {
    appName: 'arboleda',
    ignoreUndefined: true,
    maxPoolSize: CONNECTIONS,
    serverSelectionTimeoutMS: SELECT_WITHIN_MS,
    connectTimeoutMS: CONNECT_WITHIN_MS,
    heartbeatFrequencyMS: HEARTBEAT_EVERY_MS,
    socketTimeoutMS: ANSWER_WITHIN_MS,
    waitQueueTimeoutMS: WAIT_FOR_CONNECTION_MS,
    // What was said to be written is written, also when the server falls over at once.
    writeConcern: { w: 'majority', journal: true },
  });
  client.on('serverDescriptionChanged', ({ address, previousDescription: before, newDescription: after }) => {
    if (before.type !== 'Unknown' && after.type === 'Unknown') {
      logger.warn({ err: after.error, address }, 'database connection lost');
    }
  });
  const prefix = databaseNamed(url);
  return {
    database: (service) => client.db(prefix ? `${prefix}_${service}` : service),
    close: () => client.close(),
  };
}

/** The path of the URL. Several hosts make it one that `URL` cannot read. */
export const databaseNamed = (url: string): string | undefined =>
  /^mongodb(?:\+srv)?:\/\/[^/]+\/([^?]+)/.exec(url)?.[1];

const DUPLICATE_KEY = 11_000;

/** Whether a unique index refused a write. FerretDB on SQLite says it of an update in SQLite's words. */
export function isDuplicate(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (error as { code?: unknown }).code === DUPLICATE_KEY || error.message.includes('UNIQUE constraint');
}
