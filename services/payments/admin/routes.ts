import type { Handlers } from '@arboleda/chassis/http/handlers.ts';
import type { paymentsAdminEndpoints } from '@arboleda/contracts/endpoints/payments/admin.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import type { Refunds } from '../refunds/refunds.ts';
import { decodeCursor, encodeCursor } from '../transfers/cursor.ts';
import type { PaymentReading } from './reading.ts';
import { refundView } from './views.ts';

export function adminRoutes(parts: {
  reading: PaymentReading;
  refunds: Pick<Refunds, 'ask'>;
}): Handlers<typeof paymentsAdminEndpoints> {
  const { reading, refunds } = parts;
  const found = <T>(payment: T | undefined): { payment: T } => {
    if (!payment) throw new Problem('not-found');
    return { payment };
  };

  return {
    async 'GET /api/admin/payments'({ query: { cursor, limit, ...filter } }) {
      const { payments, next } = await reading.page(filter, limit, cursor ? decodeCursor(cursor) : undefined);
      return { payments, nextCursor: next && encodeCursor(next) };
    },
    'GET /api/admin/payments/{id}': async ({ params }) => found(await reading.payment(params.id)),
    'GET /api/admin/orders/{id}/payment': async ({ params }) =>
      found(await reading.paymentOfOrder(params.id)),
    async 'POST /api/admin/payments/{id}/refunds'({ params, body, person, idempotencyKey }) {
      const refund = await refunds.ask(params.id, {
        amountMinor: body.amount,
        reason: body.reason,
        by: { role: 'admin', id: person.id, name: person.name },
        idempotencyKey,
      });
      return { refund: refundView(refund) };
    },
  };
}
