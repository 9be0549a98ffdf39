import { TEST_MAIL_TOKENS } from '@arboleda/chassis/testing/config.ts';
import type { Harness } from './harness.ts';
import { newEmail, PASSWORD } from './harness.ts';

/** Default fields of a new worker. */
export const NEW_WORKER = { name: 'Mateo Ríos', region: 'Quindío', capacityTrees: 40, language: 'es' };

/** Actions of admins on workers. */
export async function openWorkersHarness(auth: Harness) {
  const admin = (await auth.someone('admin')).token;
  const ofId = (id: string) => ({ token: admin, params: { id } });

  const add = (changes: Record<string, unknown> = {}, token = admin) =>
    auth.call('POST /api/admin/workers', { token, body: { ...NEW_WORKER, email: newEmail(), ...changes } });
  const invitation = async (email: string) =>
    (await auth.events.next('worker.invited', ({ data }) => data.email === email)).data;
  const accept = (token: string, password = PASSWORD) =>
    auth.call('POST /api/auth/{role}/reset-password', {
      params: { role: 'worker' },
      body: { token, password },
    });
  const invited = async (changes: Record<string, unknown> = {}) => {
    const { body } = await add(changes);
    const { id, email, workerId: code } = body.worker as { id: string; email: string; workerId: string };
    return { id, email, code, link: await TEST_MAIL_TOKENS.open(await invitation(email)) };
  };

  return {
    admin,
    add,
    accept,
    invitation,
    /** A worker who has not accepted yet. */
    invited,
    /** A worker who has accepted and is logged in. */
    async joined(changes: Record<string, unknown> = {}) {
      const worker = await invited(changes);
      await accept(worker.link);
      return { ...worker, token: (await auth.logIn('worker', worker.email)).body.token as string };
    },
    get: (id: string) => auth.call('GET /api/admin/workers/{id}', ofId(id)),
    put: (id: string, body: unknown, headers: Record<string, string> = {}) =>
      auth.call('PUT /api/admin/workers/{id}', { ...ofId(id), body, headers }),
    invite: (id: string) => auth.call('POST /api/admin/workers/{id}/invitation', ofId(id)),
    remove: (id: string) => auth.call('DELETE /api/admin/workers/{id}', ofId(id)),
    list: (query: Record<string, string | number> = {}) =>
      auth.call('GET /api/admin/workers', { token: admin, query }),
    updates: (id: string) => auth.events.all('worker.updated').filter(({ data }) => data.workerId === id),
  };
}
export type WorkersHarness = Awaited<ReturnType<typeof openWorkersHarness>>;
