import type { Role } from '@arboleda/contracts/roles.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { call, type CallOptions, type Answer } from '../api/client.ts';
import { ApiProblem } from '../api/problem.ts';
import type { Api } from '@arboleda/contracts/api.ts';
import { keepToken, onTokenChange, readToken } from './token-store.ts';

export interface People {
  customer: Answer<'GET /api/auth/customer/verify'>['user'];
  admin: Answer<'GET /api/auth/admin/verify'>['user'];
  worker: Answer<'GET /api/auth/worker/verify'>['worker'];
}

/** A call with the portal's token; a token that is no longer good ends the session. */
export type PortalCall = <Key extends keyof Api>(
  key: Key,
  options?: CallOptions<Key>,
) => Promise<Answer<Key>>;

export type Session<R extends Role> = { logIn: (token: string) => void } & (
  | { state: 'out' }
  | { state: 'checking' }
  | { state: 'unreachable'; retry: () => void; logOut: () => void }
  | { state: 'in'; person: People[R]; call: PortalCall; logOut: () => void }
);

const VERIFY: { [R in Role]: (token: string, signal: AbortSignal) => Promise<People[R]> } = {
  async customer(token, signal) {
    const answer = await call('GET /api/auth/customer/verify', { headers: bearer(token), signal });
    if (answer.token) keepToken('customer', answer.token);
    return answer.user;
  },
  admin: async (token, signal) =>
    (await call('GET /api/auth/admin/verify', { headers: bearer(token), signal })).user,
  worker: async (token, signal) =>
    (await call('GET /api/auth/worker/verify', { headers: bearer(token), signal })).worker,
};

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const isRefused = (error: unknown) => error instanceof ApiProblem && error.status === 401;

/** Product spec section 4: a kept token is verified when the portal loads; one that is refused is removed. */
export function useSession<R extends Role>(role: R): Session<R> {
  const queryClient = useQueryClient();
  const token = useSyncExternalStore(
    onTokenChange,
    () => readToken(role),
    () => null,
  );

  const end = useCallback(() => {
    keepToken(role, null);
    queryClient.removeQueries({ queryKey: [role] });
  }, [queryClient, role]);

  const check = useQuery({
    queryKey: [role, 'session'],
    enabled: token !== null,
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      try {
        return await VERIFY[role](token!, signal);
      } catch (error) {
        if (isRefused(error)) end();
        throw error;
      }
    },
  });

  const portalCall = useMemo<PortalCall>(
    () => async (key, options) => {
      try {
        return await call(key, {
          ...options,
          headers: { ...bearer(readToken(role) ?? ''), ...options?.headers },
        });
      } catch (error) {
        if (isRefused(error)) end();
        throw error;
      }
    },
    [end, role],
  );

  const logIn = useCallback(
    (fresh: string) => {
      queryClient.removeQueries({ queryKey: [role] });
      keepToken(role, fresh);
    },
    [queryClient, role],
  );

  if (token === null) return { state: 'out', logIn };
  if (check.data) return { state: 'in', person: check.data, call: portalCall, logOut: end, logIn };
  if (check.isError) return { state: 'unreachable', retry: () => void check.refetch(), logOut: end, logIn };
  return { state: 'checking', logIn };
}
