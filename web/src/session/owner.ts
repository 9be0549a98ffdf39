import type { Role } from '@arboleda/contracts/roles.ts';
import type { QueryClient } from '@tanstack/react-query';

const owners = new WeakMap<QueryClient, Map<Role, string>>();

export function setOwner(queryClient: QueryClient, role: Role, personId: string): void {
  const known = owners.get(queryClient) ?? new Map<Role, string>();
  owners.set(queryClient, known);
  if (known.has(role) && known.get(role) !== personId) {
    queryClient.removeQueries({ queryKey: [role], predicate: ({ queryKey }) => queryKey[1] !== 'session' });
  }
  known.set(role, personId);
}
