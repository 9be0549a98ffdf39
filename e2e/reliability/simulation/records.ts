import type { Change, Records } from '@arboleda/chassis/records.ts';
import type { Fault } from './faults.ts';
import type { Process } from './world.ts';

/** Called after each write, with the record before and after it. */
export type Watch = (table: string, before: { _id: string } | undefined, after: { _id: string }) => void;

interface Kept<T> {
  record: T;
  version: number;
  /** Ids of events that were applied. */
  consumed: ReadonlySet<string>;
}

export interface MemoryRecords<T> extends Records<T> {
  all(): T[];
}

/**
 * A table of one service in memory. As in PostgreSQL, the record, its events and jobs, and the id of the consumed event are one write.
 * @param refuse throws when a unique index would
 */
export function memoryRecords<T extends { _id: string }>(
  table: string,
  parts: { process: Process; fault: Fault | undefined; watch: Watch; refuse?: (record: T) => void },
): MemoryRecords<T> {
  const { process, fault, watch, refuse } = parts;
  const kept = new Map<string, Kept<T>>();
  return {
    all: () => [...kept.values()].map(({ record }) => record),
    async get(id) {
      process.touch();
      return kept.get(id)?.record;
    },
    async change(id, decide, { eventId } = {}) {
      process.touch();
      const others = process.meanwhile();
      if (others) await others;
      const before = kept.get(id);
      if (eventId !== undefined && before?.consumed.has(eventId)) return before.record;
      const current = fault?.sees ? (fault.sees(table, before?.record) as T | undefined) : before?.record;
      const consumed = eventId === undefined ? before?.consumed : new Set(before?.consumed).add(eventId);
      let change = decide(current);
      if (!change) {
        if (before && consumed) kept.set(id, { ...before, consumed });
        return before?.record;
      }
      if (fault?.writes) change = fault.writes(table, before?.record, change) as Change<T>;
      const { document, events = [], jobs = [] } = change;
      if (document._id !== id) throw new Error(`${table} ${document._id} was decided on as ${id}`);
      refuse?.(document);
      const version = (before?.version ?? 0) + 1;
      kept.set(id, { record: document, version, consumed: consumed ?? new Set() });
      process.commit(events, jobs, version);
      watch(table, before?.record, document);
      process.mayCrash();
      return document;
    },
  };
}
