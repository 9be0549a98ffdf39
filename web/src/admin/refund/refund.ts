import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Answer } from '../../api/client.ts';
import { isProblem } from '../../api/problem.ts';
import type { PortalCall } from '../../session/session.ts';

export type Payment = Answer<'GET /api/admin/payments/{id}'>['payment'];
export type Refund = Payment['refunds'][number];

/** Money that can be given back: of the trees, or of a photo package. */
export interface RefundTarget {
  id: string;
  photoPackageType?: Payment['photoPackages'][number]['photoPackageType'];
  orderId: string;
  shortId: string;
  customerName: string;
  isThroughStripe: boolean;
  /** Minor units that are still to be had. */
  leftAmount: number;
  currency: string;
}

const ofOrder = ({ orderId, shortId, customerName }: Payment) => ({ orderId, shortId, customerName });

export const targetOf = (payment: Payment): RefundTarget => ({
  ...ofOrder(payment),
  id: payment.paymentId,
  isThroughStripe: payment.method.kind === 'card',
  leftAmount: payment.leftAmount,
  currency: payment.received?.currency ?? payment.currency,
});

/** All that can be given back of an order, the trees' money first. */
export const targetsOf = (payment: Payment): RefundTarget[] => [
  targetOf(payment),
  ...payment.photoPackages.map((bought) => ({
    ...ofOrder(payment),
    id: bought.purchaseId,
    photoPackageType: bought.photoPackageType,
    isThroughStripe: true,
    leftAmount: bought.leftAmount,
    currency: bought.received?.currency ?? bought.currency,
  })),
];

export interface RefundWish {
  /** Minor units; all that is left when absent. */
  amount: number | undefined;
  reason: string;
  /** It goes back by another way than it came, and is noted only. */
  byHand: boolean;
}

interface Parts {
  call: PortalCall;
  target: RefundTarget;
  /** One key for as long as the dialog is open: what is asked twice happens once. */
  idempotencyKey: string;
  onDone: (refund: Refund) => void;
}

/** Money is given back by Stripe, which may take its time; what it became is read again whatever the answer. */
const PATIENCE_MS = 60_000;

export function useRefund({ call, target, idempotencyKey, onDone }: Parts) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ amount, reason, byHand }: RefundWish) => {
      const asked = {
        params: { id: target.id },
        body: { reason, ...(amount !== undefined && { amount }), ...(byHand && { byHand }) },
        idempotencyKey,
        timeoutMs: PATIENCE_MS,
      };
      const answer = target.photoPackageType
        ? await call('POST /api/admin/photo-packages/{id}/refunds', asked)
        : await call('POST /api/admin/payments/{id}/refunds', asked);
      return answer.refund;
    },
    onSuccess: onDone,
    onSettled: () => invalidateMoney(queries, target.orderId),
  });
}

/** Says that the money of a failed refund stays here. */
export function useDismissal(call: PortalCall, orderId: string, onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ refundId, reason }: { refundId: string; reason: string }) =>
      call('POST /api/admin/refunds/{id}/dismissal', { params: { id: refundId }, body: { reason } }),
    onSuccess: onDone,
    onSettled: () => invalidateMoney(queries, orderId),
  });
}

function invalidateMoney(queries: ReturnType<typeof useQueryClient>, orderId: string): void {
  for (const queryKey of [
    ['admin', 'order', orderId],
    ['admin', 'payments'],
    ['admin', 'money'],
  ])
    void queries.invalidateQueries({ queryKey });
}

/** The first attempt was with another amount or reason, and may have arrived. */
export const isOtherWish = (error: unknown): boolean => isProblem(error, 'idempotency-conflict');
