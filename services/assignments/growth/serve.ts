import type { Job } from '@arboleda/chassis/ports/jobs.ts';
import type { Logger } from '@arboleda/chassis/log.ts';
import type { Assignment } from '../assignment/assignment.ts';
import type { AssignmentStore } from '../store.ts';
import { chooseVisitor, workerOf, type WorkerWithLoad } from '../workers/worker.ts';
import { decideNotice } from './notices.ts';
import { visitOf, visitorOf } from './purchase.ts';
import { rowsOf } from './rows.ts';

/** Tells workers of the visits that are due; enqueued when there may be some. */
export const SERVE_VISITS: Job = { name: 'serve-visits', key: 'serve-visits', payload: {} };

/**
 * Tells workers of their visits that are due, and reminds them. A visit whose worker left goes to somebody else; when
 * there is nobody it waits, and is tried again with the next run.
 */
export async function serveVisits(store: AssignmentStore, clock: () => Date, logger: Logger): Promise<void> {
  const now = clock().toISOString();
  let waiting = 0;
  for await (const page of store.noticePages(now)) {
    let roster = await store.roster();
    for (const { _id, assignmentId } of page) {
      try {
        const assignment = await store.assignments.get(assignmentId);
        const visit = assignment && visitOf(assignment, _id)?.visit;
        if (!visit) continue;
        const visitor = visitorOf(assignment, visit);
        const stays = visitor && roster.some((worker) => worker._id === visitor.workerId);
        const standIn = stays ? undefined : chooseVisitor(demandOf(assignment), roster);
        if (!stays && !standIn) {
          waiting++;
          continue;
        }
        await store.change(assignmentId, (current) => {
          // Whom an admin gave it to meanwhile goes there.
          const seen = current && visitOf(current, _id)?.visit;
          const isSame = seen && visitorOf(current, seen)?.workerId === visitor?.workerId;
          return isSame ? decideNotice(current, _id, now, standIn && workerOf(standIn)) : undefined;
        });
        if (standIn) roster = withOneMore(roster, standIn._id);
      } catch (err) {
        logger.error({ err, visitId: _id }, 'nobody could be told of a growth visit');
      }
    }
  }
  if (waiting > 0) logger.warn({ waiting }, 'growth visits wait for a worker');
}

const demandOf = ({ region, progress }: Assignment) => ({ region: progress.worker?.region ?? region });

const withOneMore = (roster: readonly WorkerWithLoad[], workerId: string): WorkerWithLoad[] =>
  roster.map((worker) =>
    worker._id === workerId ? { ...worker, openAssignments: worker.openAssignments + 1 } : worker,
  );

/**
 * Brings the list of an order's visits up to its assignment.
 * @returns whether somebody is to hear of one at once.
 */
export async function projectVisits(
  store: AssignmentStore,
  assignmentId: string,
  clock: () => Date,
): Promise<boolean> {
  const assignment = await store.assignments.get(assignmentId);
  if (!assignment) return false;
  const rows = rowsOf(assignment);
  for (const row of rows) {
    await store.visits.change(row._id, (current) =>
      current && current.revision >= row.revision ? undefined : { document: row },
    );
  }
  const now = clock().toISOString();
  return rows.some((row) => row.noticeAt !== undefined && row.noticeAt <= now);
}
