import type { Jobs } from '@arboleda/chassis/ports/jobs.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { role as roleField } from '@arboleda/contracts/fields.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import type { Role } from '@arboleda/contracts/roles.ts';
import { z } from 'zod';
import { accountByLogin, accounts, saveChange } from '../accounts/account-store.ts';
import { type Account, passwordChanged, withPassword } from '../accounts/account.ts';
import { auditActor, auditedAdmin } from '../accounts/audited.ts';
import { linkByHash, markLinkUsed, saveLink, voidLinks } from '../accounts/link-store.ts';
import { hashToken, type NewLink, setsPassword } from '../accounts/links.ts';
import { requireUncommon } from './password-policy.ts';
import type { Passwords } from './passwords.ts';
import type { Attempts } from '../sessions/attempts.ts';
import type { SecondFactorCheck } from '../sessions/sessions.ts';

const JOB = 'mail-reset-link';
const asked = z.object({ role: roleField, login: z.string() });

export interface Resets {
  /**
   * Requests an email with a link, if the account exists. Neither the answer nor its time reveals that: the
   * lookup happens later. @throws Problem `too-many-requests`
   */
  ask(role: Role, login: string, address: string): Promise<void>;
  /**
   * Sets the password by a reset link or an invitation. Verifies the address and ends all sessions.
   * @returns the account, and whether it may be logged in: not while a second factor protects it
   * @throws Problem `link-invalid`; `validation-failed` when the password is a common one
   */
  reset(
    role: Role,
    token: string,
    password: string,
    address: string,
  ): Promise<{ account: Account; mayLogIn: boolean }>;
}

export async function openResets(parts: {
  sql: Sql;
  jobs: Jobs;
  passwords: Passwords;
  attempts: Attempts;
  newLink: NewLink;
  secondFactor: SecondFactorCheck;
  clock: () => Date;
}): Promise<Resets> {
  const { sql, jobs, passwords, attempts, newLink, secondFactor, clock } = parts;

  await jobs.handle(JOB, async (payload) => {
    const { role, login } = asked.parse(payload);
    const account = await accountByLogin(sql, role, login);
    if (!account?.active || !(await attempts.mayMailReset(account.id))) return;
    const link = await newLink('reset-password', account);
    await sql.transaction((tx) => saveLink(tx, link));
  });

  return {
    async ask(role, login, address) {
      await attempts.countResetRequest(address);
      await jobs.enqueue([{ name: JOB, payload: { role, login } satisfies z.infer<typeof asked> }]);
    },

    async reset(role, token, password, address) {
      const tokenHash = hashToken(token);
      const shown = await linkByHash(sql, tokenHash);
      const owner = shown && (await accounts.get(sql, shown.accountId));
      if (!owner || owner.role !== role || !setsPassword(shown, owner, clock())) {
        throw new Problem('link-invalid');
      }
      requireUncommon(password, owner);
      const passwordHash = await passwords.hash(password);
      const changed = await sql.transaction(async (tx) => {
        const account = await accounts.lock(tx, owner.id);
        const link = await linkByHash(tx, tokenHash, 'for update');
        if (!account || !link || !setsPassword(link, account, clock())) throw new Problem('link-invalid');
        const renewed = { ...withPassword(account, passwordHash), emailVerified: true };
        await markLinkUsed(tx, link);
        await voidLinks(tx, account.id, ['reset-password', 'invitation', 'change-email']);
        const isFirst = account.invitationPending;
        await saveChange(tx, account, renewed, isFirst ? [] : [passwordChanged(renewed, clock())]);
        if (role === 'admin')
          await tx.audit({
            ...auditedAdmin(account),
            by: auditActor(account),
            action: isFirst ? 'admin.joined' : 'admin.password_reset',
          });
        return renewed;
      });
      const mayLogIn = (await secondFactor(changed, undefined, address)) === 'off';
      return { account: changed, mayLogIn };
    },
  };
}
