import type { Person } from '@arboleda/chassis/http/identity.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import type { NewEvent } from '@arboleda/contracts/events/index.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { randomUUID } from 'node:crypto';
import { accountByLogin, accounts, eraseAccount } from '../accounts/account-store.ts';
import type { Account } from '../accounts/account.ts';
import { lockCurrent, type Sessions } from '../sessions/sessions.ts';

export interface AccountExport {
  exportedAt: string;
  account: Pick<Account, 'id' | 'name' | 'email' | 'emailVerified' | 'language'> & {
    role: 'customer';
    createdAt: string;
    updatedAt: string;
  };
  mailedLinks: { purpose: string; email: string; expiresAt: string; usedAt?: string }[];
  logIns: { lastAt: string }[];
}

/** For customers. All methods throw Problem `unauthenticated` when the session was ended. */
export interface Leaving {
  export(person: Person): Promise<AccountExport>;
  /** Deletes the account and publishes the erasure. @throws as Sessions.confirmed */
  erase(person: Person, currentPassword: string, address: string): Promise<void>;
}

export function openLeaving(parts: { sql: Sql; sessions: Sessions; clock: () => Date }): Leaving {
  const { sql, sessions, clock } = parts;
  return {
    async export(person) {
      const { id, name, email, emailVerified, language } = await sessions.current(person);
      const [dates, links, networks] = await Promise.all([
        sql.query<{ created_at: Date; updated_at: Date }>(
          'select created_at, updated_at from accounts where id = $1',
          [id],
        ),
        sql.query<{ purpose: string; email: string; expires_at: Date; used_at: Date | null }>(
          `select purpose, email, expires_at, used_at from verification_links where account_id = $1
           order by expires_at limit 1000`,
          [id],
        ),
        sql.query<{ seen_at: Date }>(
          'select seen_at from known_networks where account_id = $1 order by seen_at limit 1000',
          [id],
        ),
      ]);
      const [kept] = dates.rows;
      if (!kept) throw new Problem('unauthenticated');
      const { created_at: createdAt, updated_at: updatedAt } = kept;
      return {
        exportedAt: clock().toISOString(),
        account: {
          id,
          role: 'customer',
          name,
          email,
          emailVerified,
          language,
          createdAt: createdAt.toISOString(),
          updatedAt: updatedAt.toISOString(),
        },
        mailedLinks: links.rows.map((link) => ({
          purpose: link.purpose,
          email: link.email,
          expiresAt: link.expires_at.toISOString(),
          ...(link.used_at && { usedAt: link.used_at.toISOString() }),
        })),
        logIns: networks.rows.map(({ seen_at: lastAt }) => ({ lastAt: lastAt.toISOString() })),
      };
    },

    async erase(person, currentPassword, address) {
      await sessions.confirmed(person, currentPassword, address);
      await sql.transaction(async (tx) => {
        const account = await lockCurrent(tx, person);
        await eraseAccount(tx, account, [erased(account, clock())]);
      });
    },
  };
}

/**
 * Erases a donor whose identity the organisation has checked: all orders of the address are theirs.
 * @returns whether there was an account
 */
export const eraseCustomer = (
  { sql, clock }: { sql: Sql; clock: () => Date },
  email: string,
): Promise<boolean> =>
  sql.transaction(async (tx) => {
    const found = await accountByLogin(tx, 'customer', email);
    const account = found && (await accounts.lock(tx, found.id));
    const at = clock().toISOString();
    const erasedEvent = (accountId: string): NewEvent => ({
      type: 'customer.erased',
      data: { accountId, email, ordersToo: true, at },
    });
    const id = account?.id ?? randomUUID();
    if (account) await eraseAccount(tx, account, [erasedEvent(id)]);
    else await tx.publish([erasedEvent(id)]);
    await tx.audit({ object: { type: 'customer', id } });
    return account !== undefined;
  });

/** Only a verified address proves that its orders belong to this person. */
const erased = (account: Account, at: Date): NewEvent => ({
  type: 'customer.erased',
  data: {
    accountId: account.id,
    email: account.email,
    ordersToo: account.emailVerified,
    at: at.toISOString(),
  },
});
