import type { Person } from '@arboleda/chassis/http/identity.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import type { Role } from '@arboleda/contracts/roles.ts';
import { type Account, requireCurrent } from './account.ts';
import type { Attempts } from './attempts.ts';
import type { Passwords } from './passwords.ts';
import { accountById, accountByLogin, replacePasswordHash } from './store.ts';

export interface Sessions {
  /**
   * The account that these credentials open. Takes the same path for an unknown address as for a wrong password.
   * @param login.email the address, or a worker's code
   * @throws Problem `invalid-credentials`, `too-many-requests`
   */
  logIn(role: Role, login: { email: string; password: string }, address: string): Promise<Account>;
  /** The account behind a token. @throws Problem `unauthenticated` when its sessions were ended. */
  current(person: Person): Promise<Account>;
}

export function openSessions(parts: { sql: Sql; passwords: Passwords; attempts: Attempts }): Sessions {
  const { sql, passwords, attempts } = parts;
  return {
    async logIn(role, { email: login, password }, address) {
      const account = await accountByLogin(sql, role, login);
      const attempt = await attempts.begin(account?.id ?? `${role}:${login}`, address);
      const matches = await passwords.matches(account?.passwordHash, password);
      if (!account?.active || !matches) throw attempt.failed();
      await attempt.succeeded(account.id);
      if (passwords.isOutdated(account.passwordHash)) {
        await replacePasswordHash(sql, account, await passwords.hash(password));
      }
      return account;
    },
    async current(person) {
      return requireCurrent(person, await accountById(sql, person.id));
    },
  };
}
