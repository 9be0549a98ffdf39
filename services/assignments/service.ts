import { auditLogOf } from '@arboleda/chassis/audit/read.ts';
import { openService, type Overrides, type RunningService } from '@arboleda/chassis/service.ts';
import { assignmentsAuditEndpoints } from '@arboleda/contracts/endpoints/audit-log.ts';
import { assignmentsEndpoints } from '@arboleda/contracts/endpoints/assignments.ts';
import type { AssignmentsConfig } from './config.ts';
import { consumers } from './consumers.ts';
import { handleJobs } from './jobs.ts';
import { openAssignmentChanges } from './live.ts';
import { showVisits } from './metrics.ts';
import { routes } from './routes.ts';
import { MIGRATIONS, openStore } from './store.ts';

/** Assigns orders to workers, tracks planting, and schedules growth visits. */
export async function startAssignments(
  config: AssignmentsConfig,
  overrides: Overrides = {},
): Promise<RunningService> {
  const service = await openService('assignments', config, overrides);
  const sql = await service.platform.sql('assignments', MIGRATIONS);
  service.onClose(() => sql.close());
  const kept = openStore(sql, service.clock);
  const changes = openAssignmentChanges(kept, { clock: service.clock, logger: service.logger });
  const store = { ...kept, ...changes.withNotifications({ change: kept.change }) };

  const jobs = service.platform.jobs('assignments');
  service.onClose(() => jobs.close());
  await handleJobs(jobs, store, service, config);

  showVisits(service.metrics, kept, service.clock);
  await service.subscribe(consumers(store, jobs, service.clock));
  return service.listen(
    { ...assignmentsEndpoints, ...assignmentsAuditEndpoints },
    {
      ...routes(store, changes, service.clock),
      'GET /internal/assignments/audit-log': ({ query }) => auditLogOf(sql, 'assignments')(query),
    },
  );
}
