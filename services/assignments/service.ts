import { openService, type Overrides, type RunningService } from '@arboleda/chassis/service.ts';
import { assignmentsEndpoints } from '@arboleda/contracts/endpoints/assignments.ts';
import { ASSIGN_WAITING } from './assignment.ts';
import type { AssignmentsConfig } from './config.ts';
import { consumers } from './consumers.ts';
import { assignWaiting } from './dispatch.ts';
import { routes } from './routes.ts';
import { openStore } from './store.ts';

/** Who plants which order, and how far they are. */
export async function startAssignments(
  config: AssignmentsConfig,
  overrides: Overrides = {},
): Promise<RunningService> {
  const service = await openService('assignments', config, overrides);
  const documents = await service.platform.documents('assignments');
  const store = await openStore(documents);

  const jobs = service.platform.jobs('assignments');
  service.onClose(() => jobs.close());
  await jobs.handle(ASSIGN_WAITING.name, () => assignWaiting(store, service.clock, service.logger));
  await jobs.every('retry-waiting', config.retryWaitingMs, () => jobs.enqueue([ASSIGN_WAITING]));

  await service.subscribe(consumers(store));
  return service.listen(assignmentsEndpoints, routes(store, service.clock));
}
