import type { Person } from '@arboleda/chassis/http/identity.ts';
import type { NewEvent } from '@arboleda/contracts/events/index.ts';
import type { AdminRole } from '@arboleda/contracts/permissions.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import type { Language, Role } from '@arboleda/contracts/roles.ts';

export interface WorkerDetails {
  /** The organisation's code for the worker: "QU-014". */
  code: string;
  region: string;
  capacityTrees: number;
}

export interface Account {
  id: string;
  role: Role;
  /** Admins only. */
  adminRole?: AdminRole | undefined;
  /** Lower case; unique per role. */
  email: string;
  name: string;
  passwordHash: string;
  language: Language;
  emailVerified: boolean;
  active: boolean;
  /** Incremented to end all sessions. */
  tokenVersion: number;
  /** An invited worker or admin without a password. */
  invitationPending: boolean;
  /** Incremented with each change; orders the events. */
  revision: number;
  /** Workers only. */
  worker?: WorkerDetails | undefined;
}

export type AccountInput = Pick<
  Account,
  'role' | 'adminRole' | 'email' | 'name' | 'language' | 'emailVerified' | 'passwordHash' | 'worker'
>;

export const claimsOf = (account: Account) => ({
  name: account.name,
  email: account.email,
  email_verified: account.emailVerified,
  tv: account.tokenVersion,
  ...(account.adminRole && { admin_role: account.adminRole }),
});

/** @throws Problem `unauthenticated` when the account is deleted, closed, or its sessions were ended */
export function requireCurrent(person: Person, account: Account | undefined): Account {
  if (!account?.active || account.role !== person.role || account.tokenVersion !== person.tokenVersion) {
    throw new Problem('unauthenticated');
  }
  return account;
}

/** Whether the claims of a session differ from the account. */
export const isStale = (person: Person, account: Account): boolean =>
  person.name !== account.name ||
  person.email !== account.email ||
  person.emailVerified !== account.emailVerified;

export const newAccount = (id: string, input: AccountInput): Account => ({
  ...input,
  adminRole: input.role === 'admin' ? (input.adminRole ?? 'owner') : undefined,
  id,
  active: true,
  tokenVersion: 0,
  invitationPending: false,
  revision: 0,
});

export const withSessionsEnded = (account: Account): Account => ({
  ...account,
  tokenVersion: account.tokenVersion + 1,
  revision: account.revision + 1,
});

/** A new password ends all existing sessions. */
export const withPassword = (account: Account, passwordHash: string): Account => ({
  ...withSessionsEnded(account),
  passwordHash,
  invitationPending: false,
});

/** Undefined values change nothing. @returns the same object when nothing changes */
export function withDetails(
  account: Account,
  input: { name?: string | undefined; language?: Language | undefined },
): Account {
  const [name, language] = [input.name ?? account.name, input.language ?? account.language];
  if (name === account.name && language === account.language) return account;
  return { ...account, name, language, revision: account.revision + 1 };
}

/**
 * Applies an operator's data. A new password or another role of an admin ends all sessions; a verified address stays verified.
 * @returns undefined when nothing changes
 */
export function bringUpToDate(current: Account, input: AccountInput): Account | undefined {
  const samePassword = input.passwordHash === current.passwordHash;
  const adminRole = input.adminRole ?? current.adminRole;
  const staysLoggedIn = samePassword && adminRole === current.adminRole;
  const next = {
    ...current,
    ...input,
    adminRole,
    emailVerified: current.emailVerified || input.emailVerified,
    worker: input.worker ?? current.worker,
    tokenVersion: current.tokenVersion + (staysLoggedIn ? 0 : 1),
    invitationPending: current.invitationPending && samePassword,
  };
  if (JSON.stringify(sorted(next)) === JSON.stringify(sorted(current))) return undefined;
  return { ...next, revision: current.revision + 1 };
}

const sorted = ({ worker, ...account }: Account) => [
  ...Object.entries(account).sort(([a], [b]) => a.localeCompare(b)),
  worker && [worker.code, worker.region, worker.capacityTrees],
];

export function openedEvents(account: Account): NewEvent[] {
  const { id: accountId, name, email, language } = account;
  if (account.worker) return [{ type: 'worker.registered', data: workerData(account, account.worker) }];
  if (account.role !== 'customer') return [];
  return [{ type: 'customer.registered', data: { accountId, name, email, language } }];
}

/** Events about a change. Only workers are published, as other services assign and notify them. */
export function changedEvents(before: Account, after: Account): NewEvent[] {
  if (!after.worker) return [];
  const data = workerData(after, after.worker);
  if (before.worker && JSON.stringify(workerData(before, before.worker)) === JSON.stringify(data)) return [];
  return [workerUpdated(after)];
}

/** @param account of a worker */
export const workerUpdated = (account: Account): NewEvent => ({
  type: 'worker.updated',
  data: workerData(account, account.worker!),
});

/** Notifies the owner. */
export const passwordChanged = ({ id, role, name, email, language }: Account, at: Date): NewEvent => ({
  type: 'password.changed',
  data: { accountId: id, role, name, email, language, at: at.toISOString() },
});

/** Notifies the owner. */
export const secondFactorChanged = (
  { id, role, name, email, language }: Account,
  enabled: boolean,
  at: Date,
): NewEvent => ({
  type: 'second_factor.changed',
  data: { accountId: id, role, name, email, language, enabled, at: at.toISOString() },
});

/** Counts as inactive until the invitation is accepted. */
const workerData = (account: Account, worker: WorkerDetails) => ({
  workerId: account.id,
  code: worker.code,
  name: account.name,
  email: account.email,
  region: worker.region,
  language: account.language,
  active: account.active && !account.invitationPending,
  capacityTrees: worker.capacityTrees,
});
