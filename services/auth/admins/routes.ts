import type { Handlers } from '@arboleda/chassis/http/handlers.ts';
import type { authAdminsEndpoints } from '@arboleda/contracts/endpoints/auth-admins.ts';
import type { Admins } from './admins.ts';
import type { ManagedAdmin } from './store.ts';

export function adminsRoutes(admins: Admins): Handlers<typeof authAdminsEndpoints> {
  return {
    'GET /api/admin/admins': async () => ({ admins: (await admins.list()).map(managedAdminView) }),
    'POST /api/admin/admins': async ({ person, body }) => view(await admins.invite(person, body)),
    'PUT /api/admin/admins/{id}': async ({ person, params, body, ifMatch }) =>
      view(await admins.change(person, params.id, body, ifMatch)),
    'POST /api/admin/admins/{id}/invitation': async ({ person, params }) => {
      await admins.inviteAgain(person, params.id);
      return {};
    },
    'DELETE /api/admin/admins/{id}': ({ person, params }) => admins.remove(person, params.id),
  };
}

const view = (admin: ManagedAdmin) => ({ admin: managedAdminView(admin) });

const managedAdminView = ({ account, hasSecondFactor, lastLogInAt, createdAt }: ManagedAdmin) => ({
  id: account.id,
  name: account.name,
  email: account.email,
  role: account.adminRole!,
  language: account.language,
  active: account.active,
  invitationPending: account.invitationPending,
  hasSecondFactor,
  ...(lastLogInAt && { lastLogInAt: lastLogInAt.toISOString() }),
  createdAt: createdAt.toISOString(),
  revision: account.revision,
});
