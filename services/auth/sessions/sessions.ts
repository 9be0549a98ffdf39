import type { Person } from '@arboleda/chassis/http/identity.ts';
import type { Sql, Transaction } from '@arboleda/chassis/ports/sql.ts';
import { fieldProblem, Problem } from '@arboleda/contracts/problems.ts';
import type { Role } from '@arboleda/contracts/roles.ts';
import { accountByLogin, accounts, replacePasswordHash } from '../accounts/account-store.ts';
import { type Account, requireCurrent } from '../accounts/account.ts';
import type { Passwords } from '../passwords/passwords.ts';
import type { Attempt, Attempts } from './attempts.ts';

export interface Login {
  /** The address, or a worker's code. */
  email: string;
  password: string;
  /** A code of an authenticator app, or a recovery code. */
  code?: string | undefined;
}

/** Checks an admin's second factor after a correct password; `off` when there is none. */
export type SecondFactorCheck = (
  account: Account,
  code: string | undefined,
  address: string,
) => Promise<'off' | 'passed' | 'required' | 'invalid'>;

export interface LoggedIn {
  account: Account;
  /** In seconds of Unix time; undefined without a second factor. */
  secondFactorAt: number | undefined;
}

export interface Sessions {
  /**
   * Finds the account of credentials, and when its second factor was given. Takes the same path for an unknown address and a wrong password;
   * reveals a second factor only after a correct password.
   * @throws Problem `invalid-credentials`, `second-factor-required`, `second-factor-invalid`,
   * `too-many-requests`
   */
  logIn(role: Role, login: Login, address: string): Promise<LoggedIn>;
  /** The account of a token. @throws Problem `unauthenticated` when its sessions were ended */
  current(person: Person): Promise<Account>;
  /** Checks the password of a token's account, without counting an attempt. @throws Problem `unauthenticated` */
  knows(person: Person, password: string): Promise<boolean>;
  /**
   * The account of a token, after its owner has entered the password again. Counts as a login attempt.
   * @throws Problem `unauthenticated`, `too-many-requests`; `validation-failed` of the field
   * `currentPassword`
   */
  confirmed(person: Person, currentPassword: string, address: string): Promise<Account>;
}

export function openSessions(parts: {
  sql: Sql;
  passwords: Passwords;
  attempts: Attempts;
  secondFactor: SecondFactorCheck;
  clock: () => Date;
}): Sessions {
  const { sql, passwords, attempts, secondFactor, clock } = parts;
  const current = async (person: Person) => requireCurrent(person, await accounts.get(sql, person.id));
  const renew = async (account: Account, password: string) => {
    // When hashing is overloaded, the next login upgrades the hash.
    const hash = await passwords.hash(password).catch(() => undefined);
    if (hash !== undefined) await replacePasswordHash(sql, account, hash);
  };
  return {
    current,
    async knows(person, password) {
      const { passwordHash } = await current(person);
      return passwords.matches(passwordHash, password);
    },
    async logIn(role, { email: login, password, code }, address) {
      const account = await accountByLogin(sql, role, login);
      const attempt = await attempts.begin({ login: `${role}:${login}`, accountId: account?.id }, address);
      const matches = await tried(attempt, passwords.matches(account?.passwordHash, password));
      if (!account?.active || !matches) throw attempt.failed(new Problem('invalid-credentials'));
      const verdict = await secondFactor(account, code, address);
      if (verdict === 'invalid') throw attempt.failed(new Problem('second-factor-invalid'));
      if (verdict === 'required') {
        await attempt.withdrawn();
        throw new Problem('second-factor-required');
      }
      await attempt.succeeded(account.id);
      if (passwords.isOutdated(account.passwordHash)) {
        await renew(account, password);
      }
      const secondFactorAt = verdict === 'passed' ? Math.floor(clock().getTime() / 1000) : undefined;
      return { account, secondFactorAt };
    },
    async confirmed(person, currentPassword, address) {
      const account = await current(person);
      const attempt = await attempts.begin(
        { login: account.id, accountId: account.id, isLoggedIn: true },
        address,
      );
      if (!(await tried(attempt, passwords.matches(account.passwordHash, currentPassword)))) {
        throw attempt.failed(fieldProblem('currentPassword', 'wrong-password'));
      }
      await attempt.succeeded(account.id);
      return account;
    },
  };
}

/** Reverts the attempt when the password could not be checked. */
const tried = (attempt: Attempt, matching: Promise<boolean>): Promise<boolean> =>
  matching.catch(async (refusal: unknown) => {
    await attempt.withdrawn();
    throw refusal;
  });

/** The account of a token, locked until the transaction ends. @throws Problem `unauthenticated` */
export const lockCurrent = async (tx: Transaction, person: Person): Promise<Account> =>
  requireCurrent(person, await accounts.lock(tx, person.id));
