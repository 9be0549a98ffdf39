import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { RequestBody } from '../../api/client.ts';
import { ApiProblem } from '../../api/problem.ts';
import type { PortalCall } from '../../session/session.ts';
import { type Transfer, useRereadTransfers } from './transfers.ts';

export type Wish =
  | { kind: 'approve'; body: RequestBody<'POST /api/admin/manual-payments/verify/{id}'> }
  | { kind: 'reject'; body: RequestBody<'POST /api/admin/manual-payments/reject/{id}'> };

/** Refusals caused by a concurrent decision, which a retry cannot fix. */
const RACES = ['transfer-already-approved', 'transfer-already-rejected', 'second-admin-required'];
export const isRace = (error: unknown): error is ApiProblem =>
  error instanceof ApiProblem && RACES.includes(error.type);

/**
 * Decides on a transfer. Repeating a decision is harmless: its key is idempotent, and the service counts an admin's
 * second approval as the first.
 */
export function useDecision(call: PortalCall, transfer: Transfer) {
  const queryClient = useQueryClient();
  const reread = useRereadTransfers();
  const [keys] = useState(() => ({ approve: crypto.randomUUID(), reject: crypto.randomUUID() }));
  return useMutation({
    mutationFn: ({ kind, body }: Wish) => {
      const parts = { params: { id: transfer._id }, idempotencyKey: keys[kind] };
      return kind === 'approve'
        ? call('POST /api/admin/manual-payments/verify/{id}', { ...parts, body })
        : call('POST /api/admin/manual-payments/reject/{id}', { ...parts, body });
    },
    onSuccess: ({ order }) => {
      queryClient.setQueryData(['admin', 'transfer', transfer._id], order);
      reread();
    },
    onError: (error) => {
      if (!isRace(error)) return;
      void queryClient.invalidateQueries({ queryKey: ['admin', 'transfer', transfer._id] });
      reread();
    },
  });
}
