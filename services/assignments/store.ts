import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { type AssignmentLists, type AssignmentRecords, openAssignmentRecords } from './assignment/store.ts';
import { openVisitRecords, type VisitLists, type VisitRecords } from './growth/store.ts';
import { openWorkerStore, type WorkerLists, type WorkerStore } from './workers/store.ts';

export interface AssignmentStore extends AssignmentRecords, VisitRecords, WorkerStore {}

export interface FieldLists extends AssignmentLists, VisitLists, WorkerLists {}

export const MIGRATIONS = new URL('./migrations/', import.meta.url);

export function openStore(sql: Sql, clock: () => Date): AssignmentStore & FieldLists {
  const records = openAssignmentRecords(sql, clock);
  return { ...records, ...openVisitRecords(sql, records.assignments), ...openWorkerStore(sql) };
}
