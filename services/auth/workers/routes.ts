import { pageOf } from '@arboleda/chassis/http/cursor.ts';
import type { Handlers } from '@arboleda/chassis/http/handlers.ts';
import type { authWorkersEndpoints } from '@arboleda/contracts/endpoints/auth-workers.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import type { ManagedWorker } from './store.ts';
import type { Workers } from './workers.ts';

export function workersRoutes(workers: Workers): Handlers<typeof authWorkersEndpoints> {
  return {
    'GET /api/admin/workers': async ({ query: { cursor, limit, active, ...filter } }) => {
      const seen = await workers.list({
        ...filter,
        active: active === undefined ? undefined : active === 'true',
        after: cursor === undefined ? undefined : decodeCursor(cursor),
        limit: limit + 1,
      });
      const { rows, ...next } = pageOf(seen, limit, ({ account }) => encodeCursor(account.worker!.code));
      return { workers: rows.map(managedWorkerView), ...next };
    },
    'POST /api/admin/workers': async ({ body }) => view(await workers.add(body)),
    'GET /api/admin/workers/{id}': async ({ params }) => view(await workers.get(params.id)),
    'PUT /api/admin/workers/{id}': async ({ params, body, ifMatch }) =>
      view(await workers.change(params.id, body, ifMatch)),
    'POST /api/admin/workers/{id}/invitation': async ({ params }) => {
      await workers.inviteAgain(params.id);
      return {};
    },
    'DELETE /api/admin/workers/{id}': ({ params }) => workers.remove(params.id),
  };
}

const view = (worker: ManagedWorker) => ({ worker: managedWorkerView(worker) });

/** The admin's view of a worker; `workerId` is their code. */
const managedWorkerView = ({ account, createdAt }: ManagedWorker) => ({
  id: account.id,
  workerId: account.worker!.code,
  name: account.name,
  email: account.email,
  emailVerified: account.emailVerified,
  region: account.worker!.region,
  capacityTrees: account.worker!.capacityTrees,
  language: account.language,
  active: account.active,
  invitationPending: account.invitationPending,
  createdAt: createdAt.toISOString(),
  revision: account.revision,
});
