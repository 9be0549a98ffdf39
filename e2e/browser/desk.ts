import { type CallParts, openClient } from '@arboleda/contracts/client.ts';
import { DEMO_ADMIN } from '@arboleda/local/demo/accounts.ts';
import type { Addresses } from '../harness/product.ts';

export type Desk = Awaited<ReturnType<typeof openDesk>>;

/** Another admin, who works without a browser: what they do is news to the one at the screen. */
export async function openDesk(at: Addresses) {
  const api = openClient(at.url);
  const { token } = await api('POST /api/auth/admin/login', {
    body: { email: DEMO_ADMIN.email, password: at.demoPassword },
  });
  return {
    counts: async () => (await api('GET /api/admin/orders/manage', { token, query: { limit: 1 } })).counts,
    order: async (id: string) => (await api('GET /api/admin/orders/{id}', { token, params: { id } })).order,
    payment: async (id: string) =>
      (await api('GET /api/admin/orders/{id}/payment', { token, params: { id } })).payment,
    /** All that is left. */
    refund: (paymentId: string, reason: string) =>
      api('POST /api/admin/payments/{id}/refunds', {
        token,
        params: { id: paymentId },
        body: { reason },
        idempotencyKey: crypto.randomUUID(),
      }),
    edit: (id: string, body: CallParts<'PUT /api/admin/orders/{id}'>['body']) =>
      api('PUT /api/admin/orders/{id}', { token, params: { id }, body }),
  };
}
