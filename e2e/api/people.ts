import type { CallApi } from '@arboleda/contracts/client.ts';
import type { Role } from '@arboleda/contracts/roles.ts';
import { PASSWORD, putPerson } from '../harness/accounts.ts';
import type { Running } from '../harness/product.ts';

/**
 * `owner`: whose the objects are (any admin owns what admins see); `other`: of the same role, with nothing; `spare`: to
 * whom something may be done without ending the work of others.
 */
export type Who = 'owner' | 'other' | 'spare';

/** Somebody of each role, by what they are to the objects of a filled product. */
export interface People {
  put(role: Role, who: Who): Promise<void>;
  /** A new login. */
  token(role: Role, who?: Who): Promise<string>;
}

const WORKER_CODES: Record<Who, string> = { owner: 'QU-901', other: 'QU-902', spare: 'QU-903' };

export const emailOf = (role: Role, who: Who): string => `${who}-${role}@api.test`;

export const openPeople = (at: Running, call: CallApi): People => ({
  put: (role, who) =>
    putPerson(at, role, emailOf(role, who), role === 'worker' ? WORKER_CODES[who] : undefined),
  async token(role, who = 'owner') {
    const body = { email: emailOf(role, who), password: PASSWORD };
    return (await call(`POST /api/auth/${role}/login`, { body })).token;
  },
});
