import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { PortalCall } from '../../session/session.ts';

const KEY = ['admin', 'second-factor'];

export const useSecondFactor = (call: PortalCall) =>
  useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => call('GET /api/auth/admin/second-factor', { signal }),
  });

/** A step of setting it up or changing it; how it stands is read anew afterwards. */
export function useStep<Wish, Result>(step: (wish: Wish) => Promise<Result>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: step,
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: KEY }),
  });
}

/** In groups of four, as somebody types it from one screen into another. */
export const grouped = (secret: string): string => secret.replace(/\s/g, '').replace(/(.{4})(?=.)/g, '$1 ');
