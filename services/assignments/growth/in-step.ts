import type { Change } from '@arboleda/chassis/ports/documents.ts';
import type { Assignment } from '../assignment/assignment.ts';
import { followWorker } from './notices.ts';
import { schedule } from './purchase.ts';
import { projectionOf, rowsOf } from './rows.ts';

/**
 * What every decision on an assignment means for its growth visits: they follow the planting and the worker, and their
 * list follows them.
 */
export function inStep(
  before: Assignment | undefined,
  change: Change<Assignment>,
  now: string,
): Change<Assignment> {
  const { document: decided, events = [], jobs = [] } = change;
  if (decided.growth.length === 0) return { ...change, document: { ...decided, updatedAt: now } };
  const isWithAnother = before?.progress.worker?.workerId !== decided.progress.worker?.workerId;
  const scheduled = schedule(isWithAnother ? followWorker(decided) : decided, now);
  const document = { ...scheduled.document, updatedAt: now };
  const isListStale = JSON.stringify(rowsOf(document)) !== (before && JSON.stringify(rowsOf(before)));
  return {
    document: isListStale ? { ...document, visitsRevision: document.visitsRevision + 1 } : document,
    events: [...events, ...scheduled.events],
    jobs: isListStale ? [...jobs, projectionOf(document.orderId)] : jobs,
  };
}
