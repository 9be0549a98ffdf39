import { type Db, MongoClient } from 'mongodb';
import type { Logger } from '../../log.ts';

/** A MongoDB connection, with a database for each service. */
export interface Mongo {
  database(service: string): Db;
  /** The first use connects, too, but when that fails only this connects again. Nothing happens while it is connected. */
  connect(): Promise<void>;
  close(): Promise<void>;
}

const CONNECTIONS = 12;
const SELECT_WITHIN_MS = 3_000;
const CONNECT_WITHIN_MS = 3_000;
/** A silent server is detected after this plus the connect timeout. */
const HEARTBEAT_EVERY_MS = 2_000;
const ANSWER_WITHIN_MS = 15_000;
const WAIT_FOR_CONNECTION_MS = 10_000;

/**
 * Connects on first use. A lost connection is logged and does not end the process.
 * @param url a database in it becomes a prefix: `mongodb://host/trial` keeps photos in `trial_media`. Otherwise the
 * database has the service's name.
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
    // Acknowledged writes survive a crash of the primary.
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
    connect: async () => void (await client.connect()),
    close: () => client.close(),
  };
}

/** A regular expression, because `URL` cannot parse several hosts. */
export const databaseNamed = (url: string): string | undefined =>
  /^mongodb(?:\+srv)?:\/\/[^/]+\/([^?]+)/.exec(url)?.[1];

const DUPLICATE_KEY = 11_000;

/** Whether a unique index rejected a write. FerretDB on SQLite reports it for updates in SQLite's own words. */
export function isDuplicate(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (error as { code?: unknown }).code === DUPLICATE_KEY || error.message.includes('UNIQUE constraint');
}
