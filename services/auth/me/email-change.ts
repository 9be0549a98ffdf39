import type { Person } from '@arboleda/chassis/http/identity.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import type { NewEvent } from '@arboleda/contracts/events/index.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { accountByLogin, accounts, saveChange, violates } from '../accounts/account-store.ts';
import { auditedAdmin } from '../accounts/audited.ts';
import { type Account, requireCurrent, withSessionsEnded } from '../accounts/account.ts';
import { linkByHash, markLinkUsed, saveLink, voidLinks } from '../accounts/link-store.ts';
import { changesEmail, hashToken, type MailedLink, type NewLink } from '../accounts/links.ts';
import type { Attempts } from '../sessions/attempts.ts';
import type { Sessions } from '../sessions/sessions.ts';

export interface EmailChange {
  /**
   * Emails a link to the new address; nothing changes until it is opened.
   * @throws Problem `email-taken`, and as Sessions.confirmed
   */
  ask(person: Person, input: { email: string; currentPassword: string }, address: string): Promise<void>;
  /**
   * Changes the address and ends all sessions, whose tokens contain the former one; the caller gets a new
   * token.
   * Requires a session of the account, so that a stranger at a mistyped address cannot take it over.
   * @throws Problem `unauthenticated`, `link-invalid`, `email-taken`
   */
  confirm(person: Person, token: string): Promise<Account>;
}

export function openEmailChange(parts: {
  sql: Sql;
  sessions: Sessions;
  attempts: Attempts;
  newLink: NewLink;
  clock: () => Date;
}): EmailChange {
  const { sql, sessions, attempts, newLink, clock } = parts;
  return {
    async ask(person, { email, currentPassword }, address) {
      const account = await sessions.confirmed(person, currentPassword, address);
      const holder = await accountByLogin(sql, account.role, email);
      if (holder?.email === email) throw new Problem('email-taken');
      await attempts.countMail(account.id);
      const request = await newLink('change-email', account, email);
      await sql.transaction(async (tx) => {
        await saveLink(tx, request);
        await tx.audit({ ...auditedAdmin(account), withheld: ['email'] });
      });
    },

    confirm: (person, token) =>
      sql
        .transaction(async (tx) => {
          const found = await accounts.lock(tx, person.id);
          const link = await linkByHash(tx, hashToken(token), 'for update');
          if (wasConfirmedBy(person, found, link)) return found;
          const account = requireCurrent(person, found);
          if (!changesEmail(link, account, clock())) throw new Problem('link-invalid');
          const changed = { ...withSessionsEnded(account), email: link.email, emailVerified: true };
          await markLinkUsed(tx, link);
          await voidLinks(tx, account.id, ['verify-email', 'reset-password', 'change-email']);
          await saveChange(tx, account, changed, [emailChanged(account, changed, clock())]);
          await tx.audit(auditedAdmin(account, changed));
          return changed;
        })
        .catch((thrown: unknown) => {
          throw violates(thrown, 'accounts_email') ? new Problem('email-taken', { cause: thrown }) : thrown;
        }),
  };
}

/** The same session opens the same link again (a second click) and gets its new token. */
const wasConfirmedBy = (
  person: Person,
  account: Account | undefined,
  link: MailedLink | undefined,
): account is Account =>
  account !== undefined &&
  account.active &&
  link?.purpose === 'change-email' &&
  link.used &&
  link.accountId === account.id &&
  link.email === account.email &&
  // The new token names the new address: once its session is ended, the link must not bring it back.
  person.email !== account.email &&
  account.tokenVersion === person.tokenVersion + 1;

const emailChanged = (before: Account, after: Account, at: Date): NewEvent => ({
  type: 'email.changed',
  data: {
    accountId: after.id,
    role: after.role,
    name: after.name,
    from: before.email,
    to: after.email,
    language: after.language,
    at: at.toISOString(),
    fromVerified: before.emailVerified,
  },
});
