import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Answer } from '../../api/client.ts';
import type { PortalCall } from '../../session/session.ts';

export type Mail = Answer<'GET /api/admin/mails'>['mails'][number];

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
