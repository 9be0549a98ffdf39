import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Answer } from '../../api/client.ts';
import { refreshEvery } from '../../api/refresh.ts';
import type { PortalCall } from '../../session/session.ts';

export type Mail = Answer<'GET /api/admin/mails'>['mails'][number];
export type MailState = Mail['state'];

export const MAIL_STATES = [
  '',
  'bounced',
  'refused',
  'waiting',
  'sent',
  'pointless',
] as const satisfies readonly (MailState | '')[];

const REFRESH_MS = 15_000;

/** The server's default. */
export const PAGE_ROWS = 50;

export const useMails = (
  call: PortalCall,
  filter: { state: MailState | ''; q: string; cursor: string | undefined },
) =>
  useQuery({
    queryKey: ['admin', 'mails', filter.state, filter.q, filter.cursor ?? ''],
    queryFn: ({ signal }) =>
      call('GET /api/admin/mails', {
        query: {
          cursor: filter.cursor,
          ...(filter.state && { state: filter.state }),
          ...(filter.q && { q: filter.q }),
        },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshEvery(REFRESH_MS),
  });

/** Emails about an order, newest first. */
export const useOrderMails = (call: PortalCall, id: string) =>
  useQuery({
    queryKey: ['admin', 'order', id, 'mails'],
    queryFn: async ({ signal }) =>
      (await call('GET /api/admin/orders/{id}/mails', { params: { id }, query: { limit: 100 }, signal }))
        .mails,
  });

/** The text of an email; null once it was erased. */
export const useMailContent = (call: PortalCall, id: string) =>
  useQuery({
    queryKey: ['admin', 'mail', id],
    queryFn: async ({ signal }) =>
      (await call('GET /api/admin/mails/{id}', { params: { id }, signal })).content ?? null,
  });

export function useResend(call: PortalCall, id: string) {
  const queryClient = useQueryClient();
  // One request sends one email, even after connection failures.
  const [idempotencyKey, setKey] = useState(() => crypto.randomUUID());
  return useMutation({
    mutationFn: () => call('POST /api/admin/mails/{id}/resend', { params: { id }, idempotencyKey }),
    onSuccess: () => setKey(crypto.randomUUID()),
    onSettled: () =>
      Promise.all(
        ['mails', 'order'].map((name) => queryClient.invalidateQueries({ queryKey: ['admin', name] })),
      ),
  });
}
