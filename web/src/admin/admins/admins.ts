import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Answer } from '../../api/client.ts';
import type { PortalCall } from '../../session/session.ts';

export type Admin = Answer<'GET /api/admin/admins'>['admins'][number];

export const useAdmins = (call: PortalCall) =>
  useQuery({
    queryKey: ['admin', 'admins'],
    queryFn: async ({ signal }) => (await call('GET /api/admin/admins', { signal })).admins,
  });

export function useAdminAction<Variables>(act: (variables: Variables) => Promise<unknown>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['admin', 'admins'] }),
  });
}
