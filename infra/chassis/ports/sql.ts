import type { NewEvent } from '@arboleda/contracts/events/index.ts';
import type { QueryResult, QueryResultRow } from 'pg';
import type { Dependency } from './engine.ts';
import type { Job } from './jobs.ts';

/** A transaction: rows, and what is to be told to the world when it commits. */
export interface Transaction {
  /** Planned once for each connection. */
  query<Row extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<QueryResult<Row>>;
  /**
   * Into the outbox; published after commit, also when this process dies before.
   * @param sequence version of the aggregate after this transaction; 0 when it has none
   * @throws ZodError when an event is not as contracts say
   */
  publish(events: readonly NewEvent[], sequence?: number): Promise<void>;
  enqueue(jobs: readonly Job[]): Promise<void>;
}

/** A transaction of one statement. */
export interface Write {
  /** Common table expressions; whether one named `written` gives rows says whether it was done. */
  steps: string;
  values: readonly unknown[];
  /** Of the event whose effect it is, at most once, as by `consume`: steps take what they write `from unseen`, which has a row the first time only. */
  eventId?: string;
  /** A step that locks rows, and returns some: it comes before the jobs, as in all transactions, so that no two wait for each other. */
  locks?: string;
  /** Stored with it when it was done, as `Transaction.publish` and `enqueue` would. */
  events?: readonly NewEvent[];
  jobs?: readonly Job[];
  /** Version of the aggregate afterwards. */
  sequence?: number;
}

/** PostgreSQL of one service, in a schema of its own. */
export interface Sql extends Dependency {
  /** Planned anew for its values. */
  query<Row extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<QueryResult<Row>>;
  /** Planned once for each connection: for what is asked for every order, and finds its rows by their keys. */
  prepared<Row extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<QueryResult<Row>>;
  /**
   * What needs no answer in between, in one way to PostgreSQL and back; planned once for each connection. All its steps see the rows
   * as they were before it.
   * @returns whether it was done
   * @throws ZodError when an event is not as contracts say
   */
  write(write: Write): Promise<boolean>;
  /** `run` may begin anew (deadlock, serialisation failure): it must touch nothing but the database. */
  transaction<T>(run: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * The effect of an event, at most once: the event's id is recorded in the same transaction.
   * @returns false when it was consumed before.
   */
  consume(eventId: string, run: (tx: Transaction) => Promise<void>): Promise<boolean>;
  /** Age of the oldest event that was committed and not handed to the bus yet; 0 when there is none. */
  outboxAgeMs(): Promise<number>;
  close(): Promise<void>;
}
