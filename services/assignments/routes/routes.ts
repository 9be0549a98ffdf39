import type { Handlers } from '@arboleda/chassis/http/handlers.ts';
import type { assignmentsEndpoints } from '@arboleda/contracts/endpoints/assignments.ts';
import { type AssignmentChanges, liveRoutes } from '../live.ts';
import type { AssignmentStore } from '../store.ts';
import { adminRoutes } from './admin.ts';
import { internalRoutes } from './internal.ts';
import { workerRoutes } from './worker.ts';

export const routes = (
  store: AssignmentStore,
  changes: AssignmentChanges,
  clock: () => Date,
): Handlers<typeof assignmentsEndpoints> => ({
  ...workerRoutes(store, clock),
  ...adminRoutes(store, clock),
  ...internalRoutes(store, clock),
  ...liveRoutes(changes),
});
