import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { Answer, RequestBody } from '../../api/client.ts';
import { ApiProblem } from '../../api/problem.ts';
import { useChanges } from '../../api/use-changes.ts';
import type { PortalCall } from '../../session/session.ts';

type TransferPage = Answer<'GET /api/admin/manual-payments/pending-verification'>;
export type Transfer = TransferPage['orders'][number];
export type EvidenceFile = Transfer['manualPayment']['evidenceFiles'][number];
export type Flag = Transfer['manualPayment']['flags'][number];

/** The list shows transfers of one state: waiting ones oldest first, decided ones newest first. */
export const STATES = ['pending', 'approved', 'rejected'] as const;
export type State = Transfer['manualPayment']['verificationStatus'];

export const LIST = 'GET /api/admin/manual-payments/pending-verification';
export const REFRESH_MS = 10_000;

/** A transfer in any state; null for an unknown id. */
export const useTransfer = (call: PortalCall, id: string | null) =>
  useQuery({
    queryKey: ['admin', 'transfer', id],
    enabled: id !== null,
    queryFn: ({ signal }) => findTransfer(call, id!, signal),
    // Another admin may decide while the review is open.
    refetchInterval: ({ state: { data } }) =>
      data?.manualPayment.verificationStatus === 'pending' && REFRESH_MS,
  });

/** Bounds the search through lists, the only way to find a transfer. */
const MAX_PAGES = 20;

/** Searches waiting transfers first, then all, newest first. */
async function findTransfer(call: PortalCall, id: string, signal?: AbortSignal): Promise<Transfer | null> {
  for (const status of ['pending', 'all'] as const) {
    let cursor: string | undefined;
    for (let page = 0; page < MAX_PAGES; page++) {
      const answer: TransferPage = await call(LIST, {
        query: { status, limit: 100, cursor },
        ...(signal && { signal }),
      });
      const found = answer.orders.find(({ _id }) => _id === id);
      if (found) return found;
      if (!answer.nextCursor) break;
      cursor = answer.nextCursor;
    }
  }
  return null;
}

function useRereadTransfers(): () => void {
  const queryClient = useQueryClient();
  return useCallback(() => {
    for (const name of ['transfers', 'orders', 'overview', 'payments'])
      void queryClient.invalidateQueries({ queryKey: ['admin', name] });
  }, [queryClient]);
}

/** Orders change when their transfers are submitted or decided, by anyone. */
export function useLiveTransfers(call: PortalCall): void {
  const reread = useRereadTransfers();
  useChanges('admin transfers', {
    open: (signal) => call('GET /api/admin/orders/events', { signal, timeoutMs: Infinity }),
    onChange: reread,
    onResume: reread,
  });
}

/** Previous and next among waiting transfers (cyclic), with the position. */
export function neighboursOf(waiting: readonly Transfer[], id: string | null) {
  const at = waiting.findIndex(({ _id }) => _id === id);
  const others = waiting.filter(({ _id }) => _id !== id);
  return {
    place: at < 0 ? undefined : at + 1,
    before: at > 0 ? waiting[at - 1]!._id : undefined,
    after: at < 0 ? undefined : waiting[at + 1]?._id,
    next: (at < 0 ? undefined : waiting[at + 1]?._id) ?? others[0]?._id,
  };
}

export type DecisionRequest =
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
    mutationFn: ({ kind, body }: DecisionRequest) => {
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
