import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Answer } from '../../api/client.ts';
import { isProblem } from '../../api/problem.ts';
import type { PortalCall } from '../../session/session.ts';

export type Payment = Answer<'GET /api/admin/payments/{id}'>['payment'];
export type Refund = Payment['refunds'][number];

/** What has been given back, or is about to be. */
const isCommitted = ({ status }: Refund): boolean => status !== 'failed' && status !== 'canceled';

/** Minor units that are still to be had; 0 when nothing was paid. */
export function leftOf(payment: Payment): number {
  if (payment.status !== 'succeeded') return 0;
  const committed = payment.refunds.filter(isCommitted).reduce((sum, { amount }) => sum + amount, 0);
  return Math.max(0, payment.amount - committed);
}

export interface RefundWish {
  /** Minor units; all that is left when absent. */
  amount: number | undefined;
  reason: string;
}

interface Parts {
  call: PortalCall;
  payment: Payment;
  /** One key for as long as the dialog is open: what is asked twice happens once. */
  idempotencyKey: string;
  onDone: (refund: Refund) => void;
}

/** Money is given back by Stripe, which may take its time; what it became is read again whatever the answer. */
const PATIENCE_MS = 60_000;

export function useRefund({ call, payment, idempotencyKey, onDone }: Parts) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (wish: RefundWish) =>
      (
        await call('POST /api/admin/payments/{id}/refunds', {
          params: { id: payment.paymentId },
          body: { reason: wish.reason, ...(wish.amount !== undefined && { amount: wish.amount }) },
          idempotencyKey,
          timeoutMs: PATIENCE_MS,
        })
      ).refund,
    onSuccess: onDone,
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: ['admin', 'order', payment.orderId] });
      void queries.invalidateQueries({ queryKey: ['admin', 'payments'] });
    },
  });
}

/** The first attempt was with another amount or reason, and may have arrived. */
export const isOtherWish = (error: unknown): boolean => isProblem(error, 'idempotency-conflict');
