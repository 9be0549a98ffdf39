import { request, type RequestParts } from '@arboleda/chassis/testing/request.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { someOrder } from './builders.ts';
import type { openHarness } from './harness.ts';

/** An admin's view of a running service. */
export async function openAdminClient(service: Awaited<ReturnType<typeof openHarness>>, url: string) {
  const token = await service.identity.token({ role: 'admin' });
  const asAdmin = (key: Parameters<typeof request>[1], parts: RequestParts = {}) =>
    request(url, key, { token, ...parts });
  const mailsOf = async (id: string, query: RequestParts['query'] = {}) =>
    (await asAdmin('GET /api/admin/orders/{id}/mails', { params: { id }, query })).body.mails;
  return {
    token,
    asAdmin,
    /** Emails about an order, as an admin sees them. */
    mailsOf,
    /** An order whose receipt was sent. */
    async paid() {
      const order = someOrder({ language: 'en' });
      await service.publish('order.created', order.created);
      const [receipt] = await service.someMailsTo(order.email);
      const { orderId } = order.created;
      const [mail] = await waitFor(async () => {
        const mails = await mailsOf(orderId);
        return mails[0]?.state === 'sent' && mails;
      });
      return { order, orderId, mail, messageId: receipt!.headers['message-id']! };
    },
  };
}
