import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Answer } from '../../api/client.ts';
import { isProblem } from '../../api/problem.ts';
import type { PortalCall } from '../../session/session.ts';

export type Payment = Answer<'GET /api/admin/payments/{id}'>['payment'];
export type Refund = Payment['refunds'][number];

/** A refundable payment: the trees or a photo package. */
export interface RefundTarget {
  id: string;
  photoPackageType?: Payment['photoPackages'][number]['photoPackageType'];
  orderId: string;
  shortId: string;
  customerName: string;
  isThroughStripe: boolean;
  /** Refundable remainder, minor units. */
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

export interface RefundRequest {
  /** Minor units; the whole remainder when undefined. */
  amount: number | undefined;
  reason: string;
  /** Refunded outside Stripe and only recorded. */
  byHand: boolean;
  /** An admin sends it, and notes that later: nobody else sends it too. */
  claim: boolean;
}

/** An admin is sending it by bank transfer. */
export const isSending = ({ method, status }: Refund): boolean => method === 'hand' && status === 'pending';

/** All refunds of an order. */
export const refundsOf = ({ refunds, photoPackages }: Payment): Refund[] =>
  [refunds, ...photoPackages.map((bought) => bought.refunds)].flat();

interface Parts {
  call: PortalCall;
  target: RefundTarget;
  /** Constant while the dialog is open, so that retries refund once. */
  idempotencyKey: string;
  onDone: (refund: Refund) => void;
}

/** Stripe can be slow; the payment is reloaded after any answer. */
const REFUND_TIMEOUT_MS = 60_000;

export function useRefund({ call, target, idempotencyKey, onDone }: Parts) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ amount, reason, byHand, claim }: RefundRequest) => {
      const asked = {
        params: { id: target.id },
        body: {
          reason,
          ...(amount !== undefined && { amount }),
          ...(byHand && { byHand }),
          ...(claim && { claim }),
        },
        idempotencyKey,
        timeoutMs: REFUND_TIMEOUT_MS,
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

export function useSettlement(call: PortalCall, orderId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ refundId, sent }: { refundId: string; sent: boolean }) =>
      call('POST /api/admin/refunds/{id}/settlement', { params: { id: refundId }, body: { sent } }),
    onSettled: () => invalidateMoney(queries, orderId),
  });
}

/** Key of the sentence about a refund that was just made. */
export const outcomeKey = (refund: Refund) => {
  if (isSending(refund)) return 'refund.begun';
  return refund.status === 'succeeded' ? 'refund.done' : 'refund.started';
};

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

/** An earlier attempt with another amount or reason may have arrived. */
export const isOtherRequest = (error: unknown): boolean => isProblem(error, 'idempotency-conflict');
