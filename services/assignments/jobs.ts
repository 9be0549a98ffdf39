import type { Jobs } from '@arboleda/chassis/ports/jobs.ts';
import type { OpenService } from '@arboleda/chassis/service.ts';
import { ASSIGN_WAITING, REVIEW_WORKER, SERVE_VISITS } from './assignment/assignment.ts';
import type { AssignmentsConfig } from './config.ts';
import { serveVisits } from './growth/serve.ts';
import type { AssignmentStore } from './store.ts';
import { openDispatch, reviewWorker } from './workers/dispatch.ts';

/** Background jobs, and the intervals at which they also run without a trigger. */
export async function handleJobs(
  jobs: Jobs,
  store: AssignmentStore,
  { clock, logger }: Pick<OpenService, 'clock' | 'logger'>,
  config: Pick<AssignmentsConfig, 'retryWaitingMs' | 'serveVisitsMs'>,
): Promise<void> {
  await jobs.handle(ASSIGN_WAITING.name, openDispatch(store, clock, logger));
  await jobs.handle(REVIEW_WORKER, async ({ workerId }) => {
    if (await reviewWorker(store, String(workerId), clock)) await jobs.enqueue([SERVE_VISITS]);
  });
  await jobs.handle(SERVE_VISITS.name, () => serveVisits(store, clock, logger));
  await jobs.every('retry-waiting', config.retryWaitingMs, () => jobs.enqueue([ASSIGN_WAITING]));
  await jobs.every('look-at-visits', config.serveVisitsMs, () => jobs.enqueue([SERVE_VISITS]));
}
