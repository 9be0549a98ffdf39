import type { Api } from '@arboleda/contracts/api.ts';
import type { Role } from '@arboleda/contracts/roles.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { call, type Answer, type CallOptions } from '../api/client.ts';
import { ApiProblem } from '../api/problem.ts';
import { setOwner } from './owner.ts';
import { forgetPerson, rememberedPerson, rememberPerson } from './remembered.ts';
import { endOf, ownerOf } from './token-claims.ts';
import { keepToken, onTokenChange, readEnd, readToken, type SessionEnd } from './token-store.ts';

export interface People {
  customer: Answer<'GET /api/auth/customer/verify'>['user'];
  admin: Answer<'GET /api/auth/admin/verify'>['user'];
  worker: Answer<'GET /api/auth/worker/verify'>['worker'];
}

/** A call with the portal's token; ends the session when the token is refused. */
export type PortalCall = <Key extends keyof Api>(
  key: Key,
  options?: CallOptions<Key>,
) => Promise<Answer<Key>>;

export type Session<R extends Role> = {
  call: PortalCall;
  logIn: (token: string) => void;
  logOut: () => void;
} & (
  | { state: 'out'; end: SessionEnd | undefined }
  | { state: 'checking' }
  | { state: 'unreachable'; retry: () => void }
  | { state: 'in'; person: People[R] }
);

/** Person of a token, and its replacement when its claims changed. */
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

/** How often to check whether an address was verified elsewhere, ms. */
const AWAIT_VERIFICATION_MS = 8_000;
/** Workers may be offline: they enter as the person last verified and are verified later. */
const isRemembered = (role: Role): boolean => role === 'worker';

const awaitsVerification = (person: object | undefined) =>
  person !== undefined && 'emailVerified' in person && person.emailVerified === false;

/** A stored token is verified when the portal loads and removed when refused: product spec section 4. */
export function useSession<R extends Role>(role: R): Session<R> {
  const queryClient = useQueryClient();
  const token = useSyncExternalStore(
    onTokenChange,
    () => readToken(role),
    () => null,
  );
  const end = useSessionEnd(role);

  /** Ended by the server: cached data stays for the same person, who may return to a half-filled form. */
  const refused = useCallback(
    (used: string) => {
      if (readToken(role) === used) keepToken(role, null, endOf(used, Date.now()));
    },
    [role],
  );

  const check = useQuery<People[R]>({
    // Keyed by token, so that a change in another window loads its person.
    queryKey: [role, 'session', token],
    enabled: token !== null,
    // A remembered person is still to be verified.
    staleTime: ({ state }) => (state.dataUpdateCount === 0 ? 0 : Infinity),
    initialData: () => (isRemembered(role) && token ? rememberedPerson<People[R]>(role, token) : undefined),
    // Offline must fail immediately instead of pausing.
    networkMode: 'always',
    refetchInterval: ({ state }) => awaitsVerification(state.data) && AWAIT_VERIFICATION_MS,
    queryFn: async ({ signal }) => {
      try {
        const { person, token: fresh } = await VERIFY[role](token!, signal);
        setOwner(queryClient, role, person.id);
        if (fresh && readToken(role) === token) {
          queryClient.setQueryData([role, 'session', fresh], person);
          keepToken(role, fresh);
        }
        if (isRemembered(role) && readToken(role) === token) rememberPerson(role, token!, person);
        return person;
      } catch (error) {
        if (hasStatus(error, 401, 403)) refused(token!);
        throw error;
      }
    },
  });

  const portalCall = useMemo<PortalCall>(
    () => async (key, options) => {
      const used = readToken(role) ?? '';
      try {
        return await call(key, { ...options, headers: { ...bearer(used), ...options?.headers } });
      } catch (error) {
        if (hasStatus(error, 401)) refused(used);
        throw error;
      }
    },
    [refused, role],
  );

  const logIn = useCallback(
    (fresh: string) => {
      // A replaced token keeps its person while it is verified, for example after a password change.
      const former = queryClient.getQueryData<People[R]>([role, 'session', readToken(role)]);
      const person = former?.id === ownerOf(fresh) ? former : undefined;
      if (person) queryClient.setQueryData([role, 'session', fresh], person);
      keepToken(role, fresh);
      if (person) void queryClient.invalidateQueries({ queryKey: [role, 'session', fresh] });
    },
    [queryClient, role],
  );

  const logOut = useCallback(() => {
    keepToken(role, null);
    forgetPerson(role);
    queryClient.removeQueries({ queryKey: [role] });
  }, [queryClient, role]);

  const ways = { call: portalCall, logIn, logOut };
  if (token === null) return { ...ways, state: 'out', end };
  if (check.data) return { ...ways, state: 'in', person: check.data };
  if (check.isError) return { ...ways, state: 'unreachable', retry: () => void check.refetch() };
  return { ...ways, state: 'checking' };
}

/** Why the session ended without a logout; undefined otherwise. */
export function useSessionEnd(role: Role): SessionEnd | undefined {
  return useSyncExternalStore(
    onTokenChange,
    () => readEnd(role),
    () => undefined,
  );
}
