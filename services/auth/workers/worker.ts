import type { Language } from '@arboleda/contracts/roles.ts';
import type { Account } from '../accounts/account.ts';

/** An admin's changes of a worker; undefined fields stay. */
export interface WorkerChanges {
  name?: string | undefined;
  email?: string | undefined;
  region?: string | undefined;
  capacityTrees?: number | undefined;
  language?: Language | undefined;
  active?: boolean | undefined;
}

/** The letters of a code: "QU" for Quindío; X where a region has too few Latin letters. */
export const codePrefix = (region: string): string =>
  region
    .normalize('NFKD')
    .toUpperCase()
    .replace(/[^A-Z]/g, '')
    .padEnd(2, 'X')
    .slice(0, 2);

/** "QU-014". @param number from 1 on */
export const codeOf = (prefix: string, number: number): string =>
  `${prefix}-${String(number).padStart(3, '0')}`;

/**
 * Applies an admin's changes. A new address is unverified; an inactive worker is logged out.
 * @returns the same object when nothing changes
 */
export function changeWorker(account: Account, changes: WorkerChanges): Account {
  const worker = account.worker!;
  const set = <T>(asked: T | undefined, current: T): T => asked ?? current;
  const next: Account = {
    ...account,
    name: set(changes.name, account.name),
    email: set(changes.email, account.email),
    language: set(changes.language, account.language),
    active: set(changes.active, account.active),
    worker: {
      ...worker,
      region: set(changes.region, worker.region),
      capacityTrees: set(changes.capacityTrees, worker.capacityTrees),
    },
  };
  if (JSON.stringify(next) === JSON.stringify(account)) return account;
  const loggedOut = account.active && !next.active;
  return {
    ...next,
    emailVerified: account.emailVerified && next.email === account.email,
    tokenVersion: account.tokenVersion + (loggedOut ? 1 : 0),
    revision: account.revision + 1,
  };
}
