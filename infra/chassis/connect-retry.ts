import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from './log.ts';
import { MigrationFault } from './migration-fault.ts';
import type { Engine } from './ports/engine.ts';

/** Error codes of sockets, drivers and servers for a connection that failed or was refused. */
const CONNECTION_ERROR_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  // PostgreSQL: shutting down, starting up, too many connections, connection lost.
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '08000',
  '08001',
  '08003',
  '08006',
  // S3
  'XMinioServerNotInitialized',
  'ServiceUnavailable',
  'SlowDown',
]);

/** No primary, or a member that shuts down: https://www.mongodb.com/docs/manual/reference/error-codes/ */
const MONGODB_CODES = new Set([91, 189, 10_107, 11_600, 11_602, 13_435, 13_436]);

const CONNECTION_ERROR_NAMES = new Set([
  'MongoServerSelectionError',
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoWaitQueueTimeoutError',
  'MongoPoolClearedError',
  'MongoPoolClosedError',
  'MongoTopologyClosedError',
  'MongoNotConnectedError',
  'MongoClientClosedError',
  'KafkaJSConnectionError',
  'KafkaJSConnectionClosedError',
  'KafkaJSRequestTimeoutError',
  'KafkaJSBrokerNotFound',
  'KafkaJSNumberOfRetriesExceeded',
]);

/** Whether an engine or another process was unreachable. Such errors are temporary and worth a retry. */
export const isConnectionError = (error: unknown): boolean =>
  hasCause(
    error,
    ({ code, name, message }) =>
      CONNECTION_ERROR_CODES.has(String(code)) ||
      CONNECTION_ERROR_NAMES.has(String(name)) ||
      (typeof code === 'number' && MONGODB_CODES.has(code)) ||
      /timeout exceeded when trying to connect|Connection terminated|Query read timeout/.test(
        String(message),
      ),
  );

/**
 * The setting with the password for each engine, and codes or names of errors that refuse it: invalid_password of
 * PostgreSQL, AuthenticationFailed of MongoDB.
 */
const PASSWORDS: Record<string, { setting: string; refusedBy: readonly unknown[] }> = {
  postgres: { setting: 'DATABASE_URL', refusedBy: ['28P01'] },
  mongodb: { setting: 'MONGODB_URL', refusedBy: [18] },
  kafka: { setting: 'KAFKA_PASSWORD', refusedBy: ['KafkaJSSASLAuthenticationError'] },
  minio: { setting: 'S3_SECRET_KEY', refusedBy: ['SignatureDoesNotMatch', 'InvalidAccessKeyId'] },
  smtp: { setting: 'SMTP_URL', refusedBy: ['EAUTH'] },
};

/** @returns a sentence that names service, engine and setting when the engine refused the password */
export function refusedPassword(service: string, engine: string, error: unknown): string | undefined {
  const password = PASSWORDS[engine];
  if (!password) return undefined;
  const { setting, refusedBy } = password;
  if (!hasCause(error, ({ code, name }) => refusedBy.includes(code) || refusedBy.includes(name)))
    return undefined;
  return `${service} cannot use ${engine}, because it refuses the password in ${setting}.`;
}

/** Looks at the error, and at those that caused it. */
function hasCause(error: unknown, isSuch: (error: Record<string, unknown>) => boolean): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { cause, errors } = error as Record<string, unknown>;
  return (
    isSuch(error as Record<string, unknown>) ||
    (Array.isArray(errors) && errors.some((one) => hasCause(one, isSuch))) ||
    hasCause(cause, isSuch)
  );
}

/**
 * Opens engines at the start, and retries while they are unavailable, refuse the password or hold data that may not be
 * opened.
 */
export interface ConnectRetry {
  /**
   * Opens a connection, and retries with growing delays while the engine is unavailable or refuses the password, or its
   * data cannot be migrated. @throws any other error at once
   */
  open<T>(engine: Engine, open: () => Promise<T>): Promise<T>;
  /** Engines that are being retried; `migration` for data that cannot be migrated. */
  waitingFor(): Awaited[];
  /** Sentences that say what an operator has to mend. */
  reason(): string | undefined;
}

export type Awaited = Engine | 'migration';

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;

/** For commands: an operator wants to hear at once that an engine is unavailable. */
export const failFast: ConnectRetry = {
  open: (_engine, open) => open(),
  waitingFor: () => [],
  reason: () => undefined,
};

/** @param service named in reasons */
export function openConnectRetry(logger: Logger, service: string): ConnectRetry {
  /** One entry for each call that waits. */
  const waits = new Set<{ for: Awaited; reason?: string }>();
  return {
    waitingFor: () => [...new Set([...waits].map((wait) => wait.for))].sort(),
    reason: () => [...new Set([...waits].flatMap(({ reason }) => reason ?? []))].join(' ') || undefined,
    async open(engine, open) {
      const wait: { for: Awaited; reason?: string } = { for: engine };
      waits.add(wait);
      try {
        for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
          try {
            return await open();
          } catch (error) {
            const refused = refusedPassword(service, engine, error);
            if (refused === undefined && isConnectionError(error)) {
              logger.warn({ err: error, engine, pauseMs }, `waiting for ${engine}`);
              wait.for = engine;
              delete wait.reason;
            } else if (refused !== undefined || error instanceof MigrationFault) {
              // A restart would not help, and the sentence stays the same until somebody does something.
              const reason = refused ?? (error as MigrationFault).message;
              if (wait.reason !== reason) logger.error({ err: error, engine }, reason);
              wait.for = refused === undefined ? 'migration' : engine;
              wait.reason = reason;
            } else throw error;
            await sleep(pauseMs);
          }
        }
      } finally {
        waits.delete(wait);
      }
    },
  };
}
