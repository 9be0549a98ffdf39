import { currentContext, withContext } from '@arboleda/chassis/context.ts';
import type { Logger } from '@arboleda/chassis/log.ts';
import { SPANS } from '@arboleda/chassis/telemetry/names.ts';
import { traced } from '@arboleda/chassis/telemetry/trace.ts';
import type { Assignment } from '../assignment/assignment.ts';
import type { AssignmentStore } from '../store.ts';
import { chooseVisitor, workerOf, type WorkerWithLoad } from '../workers/worker.ts';
import { orderIdOfVisit, visitOf, visitorOf } from './purchase.ts';
import { decideNotice } from './visits.ts';

/**
 * Notifies workers of due visits and reminds them. A visit whose worker left goes to another one, or waits
 * for the next run when there is none.
 */
export async function serveVisits(store: AssignmentStore, clock: () => Date, logger: Logger): Promise<void> {
  const now = clock().toISOString();
  let waiting = 0;
  for await (const page of store.noticePages(now)) {
    let roster = await store.roster();
    for (const { visitId, assignmentId } of page) {
      try {
        await inOrder(orderIdOfVisit(visitId), async () => {
          const assignment = await store.assignments.get(assignmentId);
          const visit = assignment && visitOf(assignment, visitId)?.visit;
          if (!visit) return;
          const visitor = visitorOf(assignment, visit);
          const stays = visitor && roster.some((worker) => worker.id === visitor.workerId);
          const substitute = stays ? undefined : chooseVisitor(demandOf(assignment), roster);
          if (!stays && !substitute) {
            waiting++;
            return;
          }
          await store.change(assignmentId, (current) => {
            // An admin may have assigned another worker meanwhile.
            const seen = current && visitOf(current, visitId)?.visit;
            const isSame = seen && visitorOf(current, seen)?.workerId === visitor?.workerId;
            return isSame
              ? decideNotice(current, visitId, now, substitute && workerOf(substitute))
              : undefined;
          });
          if (substitute) roster = withOneMore(roster, substitute.id);
        });
      } catch (err) {
        logger.error({ err, visitId }, 'no worker could be notified of a growth visit');
      }
    }
  }
  if (waiting > 0) logger.warn({ waiting }, 'growth visits wait for a worker');
}

/** One run serves many orders: each gets a span of its own. */
const inOrder = (orderId: string | undefined, run: () => Promise<void>): Promise<void> =>
  withContext({ ...currentContext(), orderId }, () =>
    traced({ name: SPANS.noticeVisit, kind: 'internal' }, run),
  );

const demandOf = ({ region, progress }: Assignment) => ({ region: progress.worker?.region ?? region });

const withOneMore = (roster: readonly WorkerWithLoad[], workerId: string): WorkerWithLoad[] =>
  roster.map((worker) =>
    worker.id === workerId ? { ...worker, openAssignments: worker.openAssignments + 1 } : worker,
  );
