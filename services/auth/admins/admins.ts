import type { Person } from '@arboleda/chassis/http/identity.ts';
import type { Sql, Transaction } from '@arboleda/chassis/ports/sql.ts';
import type { AdminRole } from '@arboleda/contracts/permissions.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import type { Language } from '@arboleda/contracts/roles.ts';
import { randomBytes, randomUUID } from 'node:crypto';
import { accounts, addAccount, eraseAccount, saveChange } from '../accounts/account-store.ts';
import { type Account, newAccount } from '../accounts/account.ts';
import { auditedAdmin, auditedWhole } from '../accounts/audited.ts';
import { saveLink } from '../accounts/link-store.ts';
import type { NewLink } from '../accounts/links.ts';
import type { Passwords } from '../passwords/passwords.ts';
import { factorOf } from '../second-factor/store.ts';
import type { Attempts } from '../sessions/attempts.ts';
import { lockCurrent } from '../sessions/sessions.ts';
import { type AdminChanges, changeAdmin, requireManager, roleChanged } from './admin.ts';
import { adminById, listAdmins, lockAdmins, type ManagedAdmin } from './store.ts';

export interface NewAdmin {
  name: string;
  email: string;
  role: AdminRole;
  language: Language;
}

/**
 * Management of admins by owners. Changes throw Problem `unauthenticated`, `forbidden` or `second-factor-needed`
 * for the actor, and `not-found` for an unknown admin.
 */
export interface Admins {
  list(): Promise<ManagedAdmin[]>;
  /** Adds and invites. @throws Problem `admin-email-taken` */
  invite(actor: Person, input: NewAdmin): Promise<ManagedAdmin>;
  /**
   * @param ifRevision expected revision; unchecked when undefined.
   * @throws Problem `own-role`, `precondition-failed`
   */
  change(
    actor: Person,
    id: string,
    changes: AdminChanges,
    ifRevision: string | undefined,
  ): Promise<ManagedAdmin>;
  /** @throws Problem `invitation-accepted`, `admin-inactive`, `too-many-requests` */
  inviteAgain(actor: Person, id: string): Promise<void>;
  /** @throws Problem `admin-has-joined` once the invitation was accepted */
  remove(actor: Person, id: string): Promise<void>;
}

export function openAdmins(parts: {
  sql: Sql;
  passwords: Passwords;
  attempts: Attempts;
  newLink: NewLink;
  clock: () => Date;
}): Admins {
  const { sql, passwords, attempts, newLink, clock } = parts;
  const sendInvitation = async (tx: Transaction, account: Account) =>
    saveLink(tx, await newLink('invitation', account));

  /** Runs a change alone among all changes of admins, once the actor may make it. */
  const asManager = <T>(actor: Person, change: (tx: Transaction) => Promise<T>): Promise<T> =>
    sql.transaction(async (tx) => {
      await lockAdmins(tx);
      const { adminRole } = await lockCurrent(tx, actor);
      const hasSecondFactor = (await factorOf(tx, actor.id))?.confirmed ?? false;
      requireManager({ adminRole: adminRole!, hasSecondFactor });
      return change(tx);
    });

  return {
    list: () => listAdmins(sql),

    async invite(actor, { role: adminRole, ...input }) {
      // A random password that nobody knows; the invitation sets the real one.
      const passwordHash = await passwords.hash(randomBytes(32).toString('base64url'));
      return asManager(actor, async (tx) => {
        const opened = { ...input, role: 'admin', adminRole, emailVerified: false, passwordHash } as const;
        const account = { ...newAccount(randomUUID(), opened), invitationPending: true };
        if (!(await addAccount(tx, account))) {
          throw new Problem('admin-email-taken', { fields: [{ path: 'email', type: 'admin-email-taken' }] });
        }
        await sendInvitation(tx, account);
        await tx.audit(auditedWhole(undefined, account));
        return (await adminById(tx, account.id))!;
      });
    },

    change: (actor, id, changes, ifRevision) =>
      asManager(actor, async (tx) => {
        const account = await lockedAdmin(tx, id);
        if (ifRevision !== undefined && ifRevision !== String(account.revision)) {
          throw new Problem('precondition-failed');
        }
        const changed = changeAdmin(account, changes, actor.id);
        await saveChange(tx, account, changed, roleChanged(account, changed, actor, clock()));
        if (changed !== account) await tx.audit(auditedAdmin(account, changed));
        return (await adminById(tx, id))!;
      }),

    async inviteAgain(actor, id) {
      requireInvitable(await accounts.get(sql, id));
      // Before the transaction: its connection would wait for those of others, who wait for its lock.
      await attempts.countMail(id);
      await asManager(actor, async (tx) => {
        const account = requireInvitable(await accounts.lock(tx, id));
        await sendInvitation(tx, account);
        await tx.audit(auditedAdmin(account));
      });
    },

    remove: (actor, id) =>
      asManager(actor, async (tx) => {
        const account = await lockedAdmin(tx, id);
        if (!account.invitationPending) throw new Problem('admin-has-joined');
        await eraseAccount(tx, account, []);
        await tx.audit(auditedWhole(account, undefined));
      }),
  };
}

const lockedAdmin = async (tx: Transaction, id: string): Promise<Account> =>
  requireAdmin(await accounts.lock(tx, id));

/** @throws Problem `not-found` */
function requireAdmin(account: Account | undefined): Account {
  if (account?.role !== 'admin') throw new Problem('not-found');
  return account;
}

/** @throws Problem `not-found`, `invitation-accepted` or `admin-inactive` */
function requireInvitable(found: Account | undefined): Account {
  const account = requireAdmin(found);
  if (!account.invitationPending) throw new Problem('invitation-accepted');
  if (!account.active) throw new Problem('admin-inactive');
  return account;
}
