import type { Person } from '@arboleda/chassis/http/identity.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import type { Language } from '@arboleda/contracts/roles.ts';
import { saveChange } from '../accounts/account-store.ts';
import { auditedAdmin } from '../accounts/audited.ts';
import {
  type Account,
  passwordChanged,
  withDetails,
  withPassword,
  withSessionsEnded,
} from '../accounts/account.ts';
import { voidLinks } from '../accounts/link-store.ts';
import { requireUncommon } from '../passwords/password-policy.ts';
import type { Passwords } from '../passwords/passwords.ts';
import { lockCurrent, type Sessions } from '../sessions/sessions.ts';

/** Changes of one's own account. All methods throw Problem `unauthenticated` when the session was ended. */
export interface Profile {
  /** Undefined fields stay. */
  change(
    person: Person,
    input: { name?: string | undefined; language?: Language | undefined },
  ): Promise<Account>;
  /**
   * Ends all sessions; the caller gets a new token. @throws as Sessions.confirmed; `validation-failed` of
   * `newPassword`
   */
  changePassword(
    person: Person,
    input: { currentPassword: string; newPassword: string },
    address: string,
  ): Promise<Account>;
  logOutEverywhere(person: Person): Promise<void>;
}

export function openProfile(parts: {
  sql: Sql;
  passwords: Passwords;
  sessions: Sessions;
  clock: () => Date;
}): Profile {
  const { sql, passwords, sessions, clock } = parts;
  return {
    change: (person, input) =>
      sql.transaction(async (tx) => {
        const account = await lockCurrent(tx, person);
        const changed = withDetails(account, input);
        await saveChange(tx, account, changed);
        if (changed !== account) await tx.audit(auditedAdmin(account, changed));
        return changed;
      }),

    async changePassword(person, { currentPassword, newPassword }, address) {
      const owner = await sessions.confirmed(person, currentPassword, address);
      requireUncommon(newPassword, owner, 'newPassword');
      const passwordHash = await passwords.hash(newPassword);
      return sql.transaction(async (tx) => {
        const account = await lockCurrent(tx, person);
        const changed = withPassword(account, passwordHash);
        await voidLinks(tx, account.id, ['reset-password', 'change-email']);
        await saveChange(tx, account, changed, [passwordChanged(changed, clock())]);
        await tx.audit(auditedAdmin(account));
        return changed;
      });
    },

    logOutEverywhere: (person) =>
      sql.transaction(async (tx) => {
        const account = await lockCurrent(tx, person);
        await saveChange(tx, account, withSessionsEnded(account));
        await tx.audit(auditedAdmin(account));
      }),
  };
}
