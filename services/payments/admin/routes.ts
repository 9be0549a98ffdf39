import type { Handlers } from '@arboleda/chassis/http/handlers.ts';
import type { paymentsAdminEndpoints } from '@arboleda/contracts/endpoints/payments/admin.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import type { Refunds } from '../refunds/refunds.ts';
import type { Subject } from '../subject.ts';
import { decodeCursor, encodeCursor } from '../transfers/list.ts';
import type { PaymentReading } from './reading.ts';
import { refundView } from './views.ts';

type RefundRequest = Pick<
  Parameters<Handlers<typeof paymentsAdminEndpoints>['POST /api/admin/payments/{id}/refunds']>[0],
  'params' | 'body' | 'person' | 'idempotencyKey'
>;

export function adminRoutes(parts: {
  reading: PaymentReading;
  refunds: Pick<Refunds, 'ask' | 'dismiss'>;
}): Handlers<typeof paymentsAdminEndpoints> {
  const { reading, refunds } = parts;
  const found = <T>(payment: T | undefined): { payment: T } => {
    if (!payment) throw new Problem('not-found');
    return { payment };
  };

  const giveBack = async (
    kind: Subject['kind'],
    { params, body: { amount: amountMinor, reason, byHand }, person, idempotencyKey }: RefundRequest,
  ) => {
    const wish = { amountMinor, reason, byHand, by: adminOf(person), idempotencyKey };
    return { refund: refundView(await refunds.ask(kind, params.id, wish)) };
  };

  return {
    async 'GET /api/admin/payments'({ query: { cursor, limit, ...filter } }) {
      const { payments, next } = await reading.page(filter, limit, cursor ? decodeCursor(cursor) : undefined);
      return { payments, nextCursor: next && encodeCursor(next) };
    },
    'GET /api/admin/payments/{id}': async ({ params }) => found(await reading.payment(params.id)),
    'GET /api/admin/orders/{id}/payment': async ({ params }) =>
      found(await reading.paymentOfOrder(params.id)),
    'POST /api/admin/payments/{id}/refunds': (asked) => giveBack('payment', asked),
    'POST /api/admin/photo-packages/{id}/refunds': (asked) => giveBack('purchase', asked),
    async 'POST /api/admin/refunds/{id}/dismissal'({ params, body: { reason }, person }) {
      return { refund: refundView(await refunds.dismiss(params.id, { by: adminOf(person), reason })) };
    },
    'GET /api/admin/money/attention': reading.attention,
  };
}

const adminOf = ({ id, name }: RefundRequest['person']) => ({ role: 'admin', id, name }) as const;
