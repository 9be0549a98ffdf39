import type { NewEvent } from '@arboleda/contracts/events/index.ts';
import type { QueryResult, QueryResultRow } from 'pg';
import type { Audited } from '../audit/audit.ts';
import type { Dependency } from './engine.ts';
import type { Job } from './jobs.ts';

/** A transaction, with events, jobs and rows of the audit log that are stored on commit. */
export interface Transaction {
  /** Runs as a prepared statement. */
  query<Row extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<QueryResult<Row>>;
  /**
   * Adds events to the outbox. They are published after the commit, even if this process crashes.
   * @param sequence version of the aggregate after this transaction; 0 when it has none
   * @throws ZodError when an event does not match its contract
   */
  publish(events: readonly NewEvent[], sequence?: number): Promise<void>;
  enqueue(jobs: readonly Job[]): Promise<void>;
  /** Adds rows to the audit log, in an admin's call or an operator's command; elsewhere it does nothing. */
  audit(...audited: readonly Audited[]): Promise<void>;
  /** Calls `onSignal`'s listener in this process after the commit; a crash or another process misses it. */
  signal(name: string): void;
}

/** A transaction of one statement. */
export interface Write {
  /** Common table expressions. Rows of the one named `written` mean that it was done. */
  steps: string;
  values: readonly unknown[];
  /**
   * Id of the causing event, applied at most once as by `consume`. Steps take their rows `from unseen`, which has a
   * row the first time only.
   */
  eventId?: string;
  /**
   * A step that locks rows and returns some. It runs before jobs are added, as in all transactions, which prevents
   * deadlocks.
   */
  locks?: string;
  /** Stored if `written` has rows, as by `Transaction.publish`, `enqueue` and `audit`. */
  events?: readonly NewEvent[];
  jobs?: readonly Job[];
  audit?: readonly Audited[];
  /** Version of the aggregate afterwards. */
  sequence?: number;
}

/** A service's PostgreSQL schema. */
export interface Sql extends Dependency {
  /** Planned for its values, not prepared. */
  query<Row extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<QueryResult<Row>>;
  /** Runs as a prepared statement: for frequent queries that find rows by key. */
  prepared<Row extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<QueryResult<Row>>;
  /**
   * Writes in one round trip, as a prepared statement. All steps see the rows as they were before.
   * @returns whether it was done
   * @throws ZodError when an event does not match its contract
   */
  write(write: Write): Promise<boolean>;
  /** `run` is repeated after a deadlock or serialisation failure: it must touch nothing but the database. */
  transaction<T>(run: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Applies an event at most once: its id is recorded in the same transaction.
   * @returns false when it was consumed before
   */
  consume(eventId: string, run: (tx: Transaction) => Promise<void>): Promise<boolean>;
  /** @param run called after the commit of a transaction that signals the name; it must not throw */
  onSignal(name: string, run: () => void): void;
  /** Adds a bulk read to the audit log, unless it did under this key within the last hour. */
  auditRead(key: string, read: Audited): Promise<void>;
  /** Age of the oldest committed event that is not published yet; 0 when there is none. */
  outboxAgeMs(): Promise<number>;
  /** Age of the last recorded backup of the database; of the database itself before the first. */
  backupAgeMs(): Promise<number>;
  close(): Promise<void>;
}
