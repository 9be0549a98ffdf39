import type { Line } from './line.ts';
import type { DemoOrder } from './orders.ts';

/** Admin actions on an order: refund, correction, note. It is idempotent. */
export async function attendTo(
  line: Line,
  { key, trees, office }: DemoOrder,
  orderId: string,
): Promise<void> {
  if (!office) return;
  const { refund, edit, note } = office;
  const order = { token: line.adminToken, params: { id: orderId } };
  if (refund) {
    const { payment } = await line.api('GET /api/admin/orders/{id}/payment', order);
    await line.api('POST /api/admin/payments/{id}/refunds', {
      token: line.adminToken,
      params: { id: payment.paymentId },
      idempotencyKey: `demo-${line.seed}-${key}-refund`,
      body: { amount: Math.round((payment.amount * refund.trees) / trees), reason: refund.reason },
    });
  }
  if (edit) await line.api('PUT /api/admin/orders/{id}', { ...order, body: edit });
  if (note) {
    await line.api('POST /api/admin/orders/{id}/notes', {
      ...order,
      idempotencyKey: `demo-${line.seed}-${key}-note`,
      body: { text: note },
    });
  }
}
