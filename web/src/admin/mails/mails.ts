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

export function useResend(call: PortalCall, id: string) {
  const queryClient = useQueryClient();
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  return useMutation({
    mutationFn: () => call('POST /api/admin/mails/{id}/resend', { params: { id }, idempotencyKey }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['admin', 'mails'] }),
  });
}
