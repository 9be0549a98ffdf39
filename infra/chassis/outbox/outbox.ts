import type { ArboledaEvent } from '@arboleda/contracts/events/index.ts';

/** Where a statement leaves its events, so that they are published when it commits, and only then. */
export interface Outbox {
  /**
   * An `insert` that stores the events given by `values` and returns one row for each that was stored.
   * @param at number of the first placeholder @param where a condition, over `written` for instance
   */
  insert(at: number, where?: string): string;
  /** Of the placeholders from `at` on. */
  values(events: readonly ArboledaEvent[]): unknown[];
  /** To be called after the commit. @param rows as JSON objects, what `insert` returned */
  committed(events: readonly ArboledaEvent[], rows: readonly unknown[]): void;
  /** Age of the oldest event that was committed and not handed to the bus yet; 0 when there is none. */
  ageMs(): Promise<number>;
  /** Hands over what is left, and stops. */
  close(): Promise<void>;
}
