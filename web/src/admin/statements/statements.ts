import { PROBLEMS } from '@arboleda/contracts/problems.ts';
import { STATEMENT_PROBLEMS } from '@arboleda/contracts/statement-problems.ts';
import { MAX_APPROVED_AT_ONCE, ROW_LISTS } from '@arboleda/contracts/statement.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Answer, RequestBody } from '../../api/client.ts';
import { ApiProblem } from '../../api/problem.ts';
import { asLanguage, type Language } from '../../i18n/languages.ts';
import { useProblemText } from '../../session/problem-text.ts';
import type { PortalCall } from '../../session/session.ts';

export type Draft = Answer<'POST /api/admin/statements'>['statement'];
export type Imported = Answer<'POST /api/admin/statements/{id}/confirm'>['statement'];
export type Row = Answer<'GET /api/admin/statement-rows'>['rows'][number];
export type Candidate = Row['orders'][number];
export type ApprovalResult = Answer<'POST /api/admin/statement-rows/approve'>['results'][number];
export type Layout = RequestBody<'PUT /api/admin/statements/{id}/layout'>;

export { ROW_LISTS };
export type List = (typeof ROW_LISTS)[number];

/** Rows of a page: no more than can be approved or decided together. */
export const pageRowsOf = (list: List): number => (list === 'sure' ? 200 : 50);

/** Everything that is asked of a file. */
export const asksOf = ({ asks, questions }: Draft): NonNullable<Draft['asks']> => asks ?? questions;

/** The columns of a file with all of their roles. */
export const columnsOf = ({ columns = [], directionColumn }: Draft) =>
  columns.map((one) => ({
    ...one,
    role: one.column === directionColumn ? ('direction' as const) : one.role,
  }));

export const REFRESH_MS = 30_000;
/** A file of 20 MB over a slow line. */
const UPLOAD_MS = 300_000;

export const useStatements = (call: PortalCall) =>
  useQuery({
    queryKey: ['admin', 'statements', 'imported'],
    queryFn: ({ signal }) => call('GET /api/admin/statements', { query: { limit: 1 }, signal }),
  });

/** Refetches everything that changes when rows are imported or decided. */
export function useReread(): () => void {
  const queryClient = useQueryClient();
  return () => {
    for (const name of [
      'statements',
      'transfers',
      'transfer',
      'orders',
      'order',
      'overview',
      'payments',
      'money',
    ])
      void queryClient.invalidateQueries({ queryKey: ['admin', name] });
  };
}

export const useUpload = (call: PortalCall) =>
  useMutation({
    mutationFn: async (file: File) => {
      const body = new FormData();
      body.append('statement', file, file.name);
      return (await call('POST /api/admin/statements', { body, timeoutMs: UPLOAD_MS })).statement;
    },
  });

export const useLayout = (call: PortalCall, id: string) =>
  useMutation({
    mutationFn: async (body: Layout) =>
      (await call('PUT /api/admin/statements/{id}/layout', { params: { id }, body, timeoutMs: UPLOAD_MS }))
        .statement,
  });

export function useConfirm(call: PortalCall, id: string) {
  const reread = useReread();
  return useMutation({
    mutationFn: async () =>
      (await call('POST /api/admin/statements/{id}/confirm', { params: { id }, timeoutMs: UPLOAD_MS }))
        .statement,
    onSuccess: reread,
  });
}

/** Approves pairs of a row and its order. `answered`: how many were approved or refused so far. */
export function useApproval(call: PortalCall) {
  const reread = useReread();
  const [answered, setAnswered] = useState(0);
  const mutation = useMutation({
    mutationFn: async (rows: readonly Row[]) => {
      const results: ApprovalResult[] = [];
      for (let from = 0; from < rows.length; from += MAX_APPROVED_AT_ONCE) {
        setAnswered(from);
        const pairs = rows
          .slice(from, from + MAX_APPROVED_AT_ONCE)
          .map(({ rowId, orders }) => ({ rowId, orderId: orders[0]!.orderId }));
        const answer = await call('POST /api/admin/statement-rows/approve', { body: { rows: pairs } });
        results.push(...answer.results);
      }
      return results;
    },
    onSettled: reread,
  });
  return { ...mutation, answered };
}

export type Decision =
  | { kind: 'link'; body: RequestBody<'POST /api/admin/statement-rows/link'> }
  | { kind: 'split'; body: RequestBody<'POST /api/admin/statement-rows/split'> }
  | { kind: 'ignore'; body: RequestBody<'POST /api/admin/statement-rows/ignore'> }
  | { kind: 'keep'; body: RequestBody<'POST /api/admin/statement-rows/keep'> }
  | { kind: 'undo'; body: RequestBody<'POST /api/admin/statement-rows/undo'> };

export type Outcome =
  | Answer<'POST /api/admin/statement-rows/link'>['outcome']
  | 'split'
  | 'ignored'
  | 'undone';

/** Decides on rows. @returns what became of them */
export function useRowDecision(call: PortalCall) {
  const reread = useReread();
  return useMutation({
    mutationFn: async ({ kind, body }: Decision): Promise<Outcome> => {
      if (kind === 'link') return (await call('POST /api/admin/statement-rows/link', { body })).outcome;
      if (kind === 'split') await call('POST /api/admin/statement-rows/split', { body });
      else if (kind === 'ignore') await call('POST /api/admin/statement-rows/ignore', { body });
      else if (kind === 'keep') await call('POST /api/admin/statement-rows/keep', { body });
      else await call('POST /api/admin/statement-rows/undo', { body });
      return ({ split: 'split', ignore: 'ignored', keep: 'kept', undo: 'undone' } as const)[kind];
    },
    onSuccess: reread,
    // Another admin may have decided first.
    onError: (error) => error instanceof ApiProblem && error.status === 409 && reread(),
  });
}

/** An order that rows may pay, as the search finds it. */
export type FoundOrder = Pick<Candidate, 'orderId' | 'shortId' | 'customerName' | 'amount' | 'currency'>;

/** Transfers by a part of a name, address, order or reference. */
export const useTransferSearch = (call: PortalCall, q: string) =>
  useQuery({
    queryKey: ['admin', 'statements', 'orders', q],
    enabled: q !== '',
    queryFn: async ({ signal }): Promise<FoundOrder[]> => {
      const { payments } = await call('GET /api/admin/payments', { query: { q, limit: 25 }, signal });
      return payments.filter(({ method, status }) => method.kind === 'transfer' && status !== 'rejected');
    },
  });

const KINDS: Record<string, Record<Language, string>> = { ...PROBLEMS, ...STATEMENT_PROBLEMS };

/** Sentences for refusals, with the line of the file or its currency where there is one. */
export function useRefusal() {
  const { t, i18n } = useTranslation('statements');
  const problemText = useProblemText();
  const sentenceOf = (type: string | undefined): string | undefined =>
    KINDS[type ?? '']?.[asLanguage(i18n.language) ?? 'en'];
  return {
    sentenceOf,
    refusal(error: unknown): string {
      if (error instanceof ApiProblem && error.type in STATEMENT_PROBLEMS) {
        const why = sentenceOf(error.type)!;
        const path = error.fields[0]?.path ?? '';
        const currency = /^currency\.([A-Z]{3})$/.exec(path)?.[1];
        if (currency) return t('refusedCurrency', { currency });
        const [, kind, at] = /^(lines|rows)\.(\d+)/.exec(path) ?? [];
        if (at === undefined) return why;
        return kind === 'lines' ? t('refusedLine', { line: at, why }) : t('refusedRow', { row: at, why });
      }
      return problemText(error, { failed: t('failed'), network: t('noAnswer') });
    },
  };
}

/** Rows may pay an order in part, in full or by more. Undefined when the sum is right. */
export function differenceOf(rows: readonly Row[], order: FoundOrder & { paidAmount?: number }) {
  const sum = rows.reduce((all, { amount }) => all + amount, order.paidAmount ?? 0);
  if (sum === order.amount) return undefined;
  return sum < order.amount
    ? ({ kind: 'less', by: order.amount - sum } as const)
    : ({ kind: 'more', by: sum - order.amount } as const);
}
