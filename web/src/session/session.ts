import type { Api } from '@arboleda/contracts/api.ts';
import type { Role } from '@arboleda/contracts/roles.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { call, type Answer, type CallOptions } from '../api/client.ts';
import { ApiProblem } from '../api/problem.ts';
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

/** Who a token belongs to, and the token to go on with when what it says has changed. */
interface Verified<R extends Role> {
  person: People[R];
  token?: string | undefined;
}

const VERIFY: { [R in Role]: (token: string, signal: AbortSignal) => Promise<Verified<R>> } = {
  customer: async (token, signal) => {
    const answer = await call('GET /api/auth/customer/verify', { headers: bearer(token), signal });
    return { person: answer.user, token: answer.token };
  },
  admin: async (token, signal) => ({
    person: (await call('GET /api/auth/admin/verify', { headers: bearer(token), signal })).user,
  }),
  worker: async (token, signal) => ({
    person: (await call('GET /api/auth/worker/verify', { headers: bearer(token), signal })).worker,
  }),
};

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const hasStatus = (error: unknown, ...statuses: number[]) =>
  error instanceof ApiProblem && statuses.includes(error.status);

/** While an address waits to be verified, how often to look whether it was done elsewhere, ms. */
const AWAIT_VERIFICATION_MS = 8_000;
const awaitsVerification = (person: object | undefined) =>
  person !== undefined && 'emailVerified' in person && person.emailVerified === false;

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

  const check = useQuery<People[R]>({
    // By token: when another window changes it, this one learns who is logged in now.
    queryKey: [role, 'session', token],
    enabled: token !== null,
    staleTime: Infinity,
    refetchInterval: ({ state }) => awaitsVerification(state.data) && AWAIT_VERIFICATION_MS,
    queryFn: async ({ signal }) => {
      try {
        const { person, token: fresh } = await VERIFY[role](token!, signal);
        if (fresh && readToken(role) === token) {
          queryClient.setQueryData([role, 'session', fresh], person);
          keepToken(role, fresh);
        }
        return person;
      } catch (error) {
        if (hasStatus(error, 401, 403) && readToken(role) === token) end();
        throw error;
      }
    },
  });

  const portalCall = useMemo<PortalCall>(
    () => async (key, options) => {
      const used = readToken(role);
      try {
        return await call(key, { ...options, headers: { ...bearer(used ?? ''), ...options?.headers } });
      } catch (error) {
        if (hasStatus(error, 401) && readToken(role) === used) end();
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
