import type { ArboledaEvent } from '@arboleda/contracts/events/index.ts';

/** Stores events in the statement that decides them, so that they are published only if it commits. */
export interface Outbox {
  /**
   * An `insert` of the events in `values` that returns one row for each stored event.
   * @param at number of the first placeholder @param where a condition, for instance over `written`
   */
  insert(at: number, where?: string): string;
  /** Values of the placeholders from `at` on. */
  values(events: readonly ArboledaEvent[]): unknown[];
  /** Call it after the commit. @param rows as JSON objects, what `insert` returned */
  committed(events: readonly ArboledaEvent[], rows: readonly unknown[]): void;
  /** Age of the oldest committed event that is not published yet; 0 when there is none. */
  ageMs(): Promise<number>;
  /** Publishes what is left, and stops. */
  close(): Promise<void>;
}
