import type { Person } from '@arboleda/chassis/http/identity.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { fieldProblem, Problem } from '@arboleda/contracts/problems.ts';
import { randomUUID } from 'node:crypto';
import {
  type Account,
  type AccountInput,
  bringUpToDate,
  newAccount,
  openedEvents,
  passwordChanged,
} from './account.ts';
import { roleChanged } from '../admins/admin.ts';
import { requireUncommon } from '../passwords/password-policy.ts';
import type { Passwords } from '../passwords/passwords.ts';
import { lockCurrent } from '../sessions/sessions.ts';
import { accountByLogin, accounts, addAccount, saveChange, violates } from './account-store.ts';
import { auditedAdmin, auditedWhole } from './audited.ts';
import { linkByHash, markLinkUsed, saveLink, voidLinks } from './link-store.ts';
import { hashToken, judgeVerification, type NewLink } from './links.ts';

type WithPassword<T> = Omit<T, 'passwordHash'> & { password: string };

export interface Registration {
  /** @throws Problem `email-taken`; `validation-failed` when the password is a common one */
  register(
    input: Pick<WithPassword<AccountInput>, 'name' | 'email' | 'password' | 'language'>,
  ): Promise<Account>;
  /** Verifies the address with an emailed token. @throws Problem `link-invalid`, `unauthenticated` */
  verifyEmail(person: Person, token: string): Promise<Account>;
  /** Emails a new link unless the address is verified; invalidates earlier ones. */
  resend(account: Account): Promise<void>;
  /** Creates or updates the account of this role and address. @throws Problem `conflict` */
  put(input: WithPassword<AccountInput>): Promise<{ id: string; created: boolean }>;
}

export function openRegistration(parts: {
  sql: Sql;
  passwords: Passwords;
  newLink: NewLink;
  clock: () => Date;
}): Registration {
  const { sql, passwords, newLink, clock } = parts;
  return {
    async register({ name, email, password, language }) {
      requireUncommon(password, { name, email });
      const account = newAccount(randomUUID(), {
        role: 'customer',
        name,
        email,
        language,
        emailVerified: false,
        passwordHash: await passwords.hash(password),
      });
      const link = await newLink('verify-email', account);
      await sql.transaction(async (tx) => {
        if (!(await addAccount(tx, account))) throw new Problem('email-taken');
        await tx.publish(openedEvents(account));
        await saveLink(tx, link);
      });
      return account;
    },

    verifyEmail: (person, token) =>
      sql.transaction(async (tx) => {
        const account = await lockCurrent(tx, person);
        const link = await linkByHash(tx, hashToken(token), 'for update');
        const verdict = judgeVerification(link, account, clock());
        if (verdict === 'invalid') throw new Problem('link-invalid');
        if (verdict === 'already') return account;
        const verified = { ...account, emailVerified: true, revision: account.revision + 1 };
        await markLinkUsed(tx, link!);
        await saveChange(tx, account, verified);
        return verified;
      }),

    async resend(account) {
      if (account.emailVerified) return;
      const link = await newLink('verify-email', account);
      await sql.transaction((tx) => saveLink(tx, link));
    },

    put: openPut(parts),
  };
}

/** Needs no links: the operator passes the password on. */
export function openPut(parts: { sql: Sql; passwords: Passwords; clock: () => Date }): Registration['put'] {
  const { sql, passwords, clock } = parts;
  return async ({ password, ...asked }) => {
    if (asked.role === 'worker' && !asked.worker) throw fieldProblem('worker', 'required');
    if (asked.role !== 'worker' && asked.worker) throw fieldProblem('worker', 'invalid');
    if (asked.role !== 'admin' && asked.adminRole) throw fieldProblem('adminRole', 'invalid');
    requireUncommon(password, asked);
    const existing = await accountByLogin(sql, asked.role, asked.email);
    const kept = existing && (await passwords.matches(existing.passwordHash, password));
    const passwordHash = kept ? existing.passwordHash : await passwords.hash(password);
    return sql
      .transaction(async (tx) => {
        const input = { ...asked, passwordHash };
        const account = newAccount(randomUUID(), input);
        if (await addAccount(tx, account)) {
          await tx.publish(openedEvents(account));
          await tx.audit(auditedWhole(undefined, account));
          return { id: account.id, created: true };
        }
        const found = await accountByLogin(tx, input.role, input.email);
        const current = (await accounts.lock(tx, found!.id))!;
        const next = bringUpToDate(current, input);
        if (next) {
          const other = next.passwordHash !== current.passwordHash;
          if (other) await voidLinks(tx, current.id, ['reset-password', 'change-email']);
          await saveChange(tx, current, next, [
            ...(other ? [passwordChanged(next, clock())] : []),
            ...roleChanged(current, next, undefined, clock()),
          ]);
          await tx.audit(auditedAdmin(current, next));
        }
        return { id: current.id, created: false };
      })
      .catch(refuseTakenCode);
  };
}

function refuseTakenCode(thrown: unknown): never {
  throw violates(thrown, 'workers_code') ? new Problem('conflict', { cause: thrown }) : thrown;
}
