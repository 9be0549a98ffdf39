import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Answer } from '../../api/client.ts';

export type Admin = Answer<'GET /api/admin/admins'>['admins'][number];

export function useAdminAction<Variables>(act: (variables: Variables) => Promise<unknown>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['admin', 'admins'] }),
  });
}
