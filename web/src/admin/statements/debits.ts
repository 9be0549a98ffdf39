import { DEBIT_LISTS, type DebitList } from '@arboleda/contracts/statement.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { Answer } from '../../api/client.ts';
import { ApiProblem } from '../../api/problem.ts';
import { refreshEvery } from '../../api/refresh.ts';
import type { PortalCall } from '../../session/session.ts';
import { REFRESH_MS, useReread } from './statements.ts';

export type Debit = Answer<'GET /api/admin/statement-debits'>['debits'][number];
export type DebitCredit = Debit['credits'][number];

/** Names of the lists in the address, where `done` is a list of credits. */
export const LISTS = {
  returns: 'returns',
  debits: 'others',
  'debits-done': 'done',
} as const satisfies Record<string, DebitList>;
export type DebitView = keyof typeof LISTS;
export const DEBIT_VIEWS = (Object.keys(LISTS) as DebitView[]).toSorted(
  (a, b) => DEBIT_LISTS.indexOf(LISTS[a]) - DEBIT_LISTS.indexOf(LISTS[b]),
);

/** How many debits wait for a decision. */
export const useReturnsCount = (call: PortalCall) =>
  useQuery({
    queryKey: ['admin', 'statements', 'debits', 'count'],
    queryFn: async ({ signal }) =>
      (await call('GET /api/admin/statement-debits', { query: { limit: 1 }, signal })).counts.returns,
    refetchInterval: refreshEvery(REFRESH_MS),
  });

export type DebitDecision =
  | { kind: 'return'; rowId?: string | undefined; orderId?: string | undefined }
  | { kind: 'refund'; refundId: string }
  | { kind: 'dismiss' };

export function useDebitDecision(call: PortalCall, debitId: string) {
  const reread = useReread();
  return useMutation({
    mutationFn: async (decision: DebitDecision): Promise<void> => {
      if (decision.kind === 'return') {
        const { rowId, orderId } = decision;
        const body = { debitId, ...(rowId && { rowId }), ...(orderId && { orderId }) };
        await call('POST /api/admin/statement-debits/return', { body });
      } else if (decision.kind === 'refund')
        await call('POST /api/admin/statement-debits/refund', {
          body: { debitId, refundId: decision.refundId },
        });
      else await call('POST /api/admin/statement-debits/dismiss', { body: { debitId } });
    },
    onSuccess: reread,
    // Another admin may have decided first.
    onError: (error) => error instanceof ApiProblem && error.status === 409 && reread(),
  });
}
