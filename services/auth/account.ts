import type { Person } from '@arboleda/chassis/http/identity.ts';
import type { NewEvent } from '@arboleda/contracts/events/index.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import type { Language, Role } from '@arboleda/contracts/roles.ts';

export interface WorkerDetails {
  /** What the organisation calls the worker by: "QU-014". */
  code: string;
  region: string;
  capacityTrees: number;
}

export interface Account {
  id: string;
  role: Role;
  /** Lower case; one account for each role and address. */
  email: string;
  name: string;
  passwordHash: string;
  language: Language;
  emailVerified: boolean;
  active: boolean;
  /** Raised to end every session that was opened before. */
  tokenVersion: number;
  /** A worker who was invited and has not set a password yet. */
  invitationPending: boolean;
  /** Counts the changes, so that what others heard can be put in order. */
  revision: number;
  /** Of workers only. */
  worker?: WorkerDetails | undefined;
}

/** What an operator wants an account to be. */
export type AccountWish = Pick<
  Account,
  'role' | 'email' | 'name' | 'language' | 'emailVerified' | 'passwordHash' | 'worker'
>;

export const claimsOf = (account: Account) => ({
  name: account.name,
  email: account.email,
  email_verified: account.emailVerified,
  tv: account.tokenVersion,
});

/** @throws Problem `unauthenticated` when the session was ended: the account is gone, closed, or its sessions were. */
export function requireCurrent(person: Person, account: Account | undefined): Account {
  if (!account?.active || account.role !== person.role || account.tokenVersion !== person.tokenVersion) {
    throw new Problem('unauthenticated');
  }
  return account;
}

/** Whether a session says something of the account that is no longer so. */
export const isStale = (person: Person, account: Account): boolean =>
  person.name !== account.name ||
  person.email !== account.email ||
  person.emailVerified !== account.emailVerified;

/** An account that somebody opens. */
export const newAccount = (id: string, wish: AccountWish): Account => ({
  ...wish,
  id,
  active: true,
  tokenVersion: 0,
  invitationPending: false,
  revision: 0,
});

/** Raising the version ends every session that was opened before. */
export const withSessionsEnded = (account: Account): Account => ({
  ...account,
  tokenVersion: account.tokenVersion + 1,
  revision: account.revision + 1,
});

/** A new password ends the sessions that the old one opened. */
export const withPassword = (account: Account, passwordHash: string): Account => ({
  ...withSessionsEnded(account),
  passwordHash,
  invitationPending: false,
});

/** Undefined values change nothing. @returns the account itself when nothing changes. */
export function withDetails(
  account: Account,
  wish: { name?: string | undefined; language?: Language | undefined },
): Account {
  const [name, language] = [wish.name ?? account.name, wish.language ?? account.language];
  if (name === account.name && language === account.language) return account;
  return { ...account, name, language, revision: account.revision + 1 };
}

/**
 * An account as an operator wants it. A new password ends the sessions that the old one opened; a verified address
 * stays verified.
 * @returns undefined when nothing changes.
 */
export function bringUpToDate(current: Account, wish: AccountWish): Account | undefined {
  const samePassword = wish.passwordHash === current.passwordHash;
  const next = {
    ...current,
    ...wish,
    emailVerified: current.emailVerified || wish.emailVerified,
    worker: wish.worker ?? current.worker,
    tokenVersion: current.tokenVersion + (samePassword ? 0 : 1),
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

/** What others hear of a change: workers are assigned to and written to, so theirs is told. */
export function changedEvents(before: Account, after: Account): NewEvent[] {
  if (!after.worker) return [];
  const data = workerData(after, after.worker);
  if (before.worker && JSON.stringify(workerData(before, before.worker)) === JSON.stringify(data)) return [];
  return [workerUpdated(after)];
}

/** @param account a worker's */
export const workerUpdated = (account: Account): NewEvent => ({
  type: 'worker.updated',
  data: workerData(account, account.worker!),
});

/** So that whose password it was hears of it. */
export const passwordChanged = ({ id, role, name, email, language }: Account, at: Date): NewEvent => ({
  type: 'password.changed',
  data: { accountId: id, role, name, email, language, at: at.toISOString() },
});

/** So that whose account it is hears of it. */
export const secondFactorChanged = (
  { id, role, name, email, language }: Account,
  enabled: boolean,
  at: Date,
): NewEvent => ({
  type: 'second_factor.changed',
  data: { accountId: id, role, name, email, language, enabled, at: at.toISOString() },
});

/** Who has not accepted the invitation yet may never come: nobody counts on them until then. */
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
