import type { Person } from '@arboleda/chassis/http/identity.ts';
import type { Sql, Transaction } from '@arboleda/chassis/ports/sql.ts';
import { fieldProblem, Problem } from '@arboleda/contracts/problems.ts';
import { requireAnotherOwner } from '../admins/admin.ts';
import { lockAdmins, otherAdmins } from '../admins/store.ts';
import type { Attempts } from '../sessions/attempts.ts';
import { accounts, saveChange } from '../accounts/account-store.ts';
import { auditedAdmin } from '../accounts/audited.ts';
import { type Account, secondFactorChanged, withSessionsEnded } from '../accounts/account.ts';
import { lockCurrent, type LoggedIn, type SecondFactorCheck, type Sessions } from '../sessions/sessions.ts';
import { newRecoveryCodes, plainRecoveryCode } from './recovery-codes.ts';
import {
  beginFactor,
  confirmFactor,
  factorOf,
  type KeptFactor,
  recoveryCodesLeft,
  removeFactor,
  replaceRecoveryCodes,
  useRecoveryCode,
  useStep,
} from './store.ts';
import { digitsOf, newSecret, otpauthUrl, stepOf } from './totp.ts';
import type { Vault } from './vault.ts';

type Db = Pick<Sql, 'query'>;
type Parts = { sql: Sql; vault: Vault; clock: () => Date; attempts: Attempts };

/**
 * An admin's own second factor. Switching it ends all sessions, as they were opened under another rule; the
 * caller gets a new token. Passwords and codes count as login attempts: Problem `too-many-requests`.
 */
export interface SecondFactors {
  status(person: Person): Promise<{ enabled: boolean; recoveryCodesLeft: number }>;
  /**
   * Returns the secret, once. Requires the password, so that nobody can lock the admin out through an
   * unattended session. @throws Problem `second-factor-on`, and as Sessions.confirmed
   */
  begin(
    person: Person,
    currentPassword: string,
    address: string,
  ): Promise<{ secret: string; otpauthUrl: string }>;
  /** @throws Problem `second-factor-on`, `second-factor-off`; `validation-failed` of `code` */
  confirm(person: Person, code: string, address: string): Promise<LoggedIn & { recoveryCodes: string[] }>;
  /** The second factor, given again. @throws Problem `second-factor-off`; `validation-failed` of `code` */
  stepUp(person: Person, code: string, address: string): Promise<LoggedIn>;
  /** @throws Problem `second-factor-off`, `last-owner`; `validation-failed` of `code` or `currentPassword` */
  disable(
    person: Person,
    shown: { currentPassword: string; code: string },
    address: string,
  ): Promise<Account>;
  /**
   * @returns codes that replace all earlier ones. @throws Problem `second-factor-off`; `validation-failed` of
   * `code`
   */
  renewCodes(person: Person, code: string, address: string): Promise<string[]>;
}

/** Checks a code at login. Each code works at most once, even concurrently. */
export const openSecondFactorCheck =
  (parts: Parts): SecondFactorCheck =>
  async ({ id, role }, code, address) => {
    if (role !== 'admin') return 'off';
    const factor = await factorOf(parts.sql, id);
    if (!factor?.confirmed) return 'off';
    if (code === undefined) return 'required';
    const attempt = await parts.attempts.beginCode(id, address);
    if (!(await passes(parts, parts.sql, id, factor, code))) return 'invalid';
    await attempt.succeeded();
    return 'passed';
  };

export function openSecondFactors(parts: Parts & { sessions: Sessions }): SecondFactors {
  const { sql, vault, sessions, attempts, clock } = parts;

  /**
   * Runs an action protected by a code, in the transaction that uses the code up. A password checked beside
   * it belongs to the same attempt, so a correct password gives no further guesses at the code.
   */
  async function withCode<T>(
    person: Person,
    shown: { currentPassword?: string; address: string; lock?: (tx: Transaction) => Promise<void> },
    open: (tx: Transaction, account: Account, factor: KeptFactor | undefined) => Promise<T | 'wrong'>,
  ): Promise<T> {
    const { currentPassword, address, lock } = shown;
    const attempt = await attempts.begin(
      { login: person.id, accountId: person.id, isLoggedIn: true },
      address,
    );
    if (currentPassword !== undefined && !(await sessions.knows(person, currentPassword))) {
      throw attempt.failed(fieldProblem('currentPassword', 'wrong-password'));
    }
    const code = await attempts.beginCode(person.id, address);
    const outcome = await sql
      .transaction(async (tx) => {
        await lock?.(tx);
        const account = await lockCurrent(tx, person);
        return open(tx, account, await factorOf(tx, person.id, 'for update'));
      })
      .catch(async (refused: unknown) => {
        await Promise.all([attempt.withdrawn(), code.withdrawn()]);
        throw refused;
      });
    if (outcome === 'wrong') throw attempt.failed(fieldProblem('code', 'second-factor-invalid'));
    await Promise.all([attempt.succeeded(person.id), code.succeeded()]);
    return outcome;
  }

  async function freshCodes(tx: Transaction, accountId: string): Promise<string[]> {
    const codes = newRecoveryCodes();
    const hashes = codes.map((code) => vault.fingerprint(accountId, plainRecoveryCode(code)));
    await replaceRecoveryCodes(tx, accountId, hashes);
    return codes;
  }

  return {
    async status(person) {
      const { id } = await sessions.current(person);
      const enabled = (await factorOf(sql, id))?.confirmed ?? false;
      return { enabled, recoveryCodesLeft: enabled ? await recoveryCodesLeft(sql, id) : 0 };
    },

    async begin(person, currentPassword, address) {
      await sessions.confirmed(person, currentPassword, address);
      return sql.transaction(async (tx) => {
        const account = await lockCurrent(tx, person);
        const { id, email } = account;
        const secret = newSecret();
        if (!(await beginFactor(tx, id, vault.seal(id, secret)))) throw new Problem('second-factor-on');
        await tx.audit(auditedAdmin(account));
        return { secret, otpauthUrl: otpauthUrl(secret, email) };
      });
    },

    confirm: (person, code, address) =>
      withCode(person, { address }, async (tx, account, factor) => {
        if (!factor) throw new Problem('second-factor-off');
        if (factor.confirmed) throw new Problem('second-factor-on');
        if (!(await passesByApp(parts, tx, person.id, factor, code))) return 'wrong';
        await confirmFactor(tx, person.id);
        const recoveryCodes = await freshCodes(tx, person.id);
        const secondFactorAt = Math.floor(clock().getTime() / 1000);
        return { account: await saveSwitch(tx, account, true, clock()), secondFactorAt, recoveryCodes };
      }),

    stepUp: (person, code, address) =>
      withCode(person, { address }, async (tx, account, factor) => {
        if (!factor?.confirmed) throw new Problem('second-factor-off');
        if (!(await passes(parts, tx, person.id, factor, code))) return 'wrong';
        await tx.audit(auditedAdmin(account));
        return { account, secondFactorAt: Math.floor(clock().getTime() / 1000) };
      }),

    disable: (person, { currentPassword, code }, address) =>
      withCode(person, { currentPassword, address, lock: lockAdmins }, async (tx, account, factor) => {
        if (!factor?.confirmed) throw new Problem('second-factor-off');
        if (!(await passes(parts, tx, person.id, factor, code))) return 'wrong';
        requireAnotherOwner({ adminRole: account.adminRole! }, await otherAdmins(tx, account.id));
        await removeFactor(tx, person.id);
        return saveSwitch(tx, account, false, clock());
      }),

    renewCodes: (person, code, address) =>
      withCode(person, { address }, async (tx, account, factor) => {
        if (!factor?.confirmed) throw new Problem('second-factor-off');
        if (!(await passes(parts, tx, person.id, factor, code))) return 'wrong';
        await tx.audit(auditedAdmin(account));
        return freshCodes(tx, person.id);
      }),
  };
}

/**
 * Turns it off without a code, for operators, when app and recovery codes are lost. @returns false when it
 * was off
 */
export const resetSecondFactor = (
  { sql, clock }: Pick<Parts, 'sql' | 'clock'>,
  accountId: string,
): Promise<boolean> =>
  sql.transaction(async (tx) => {
    const account = await accounts.lock(tx, accountId);
    const factor = await factorOf(tx, accountId, 'for update');
    await removeFactor(tx, accountId);
    if (!account || !factor?.confirmed) return false;
    await saveSwitch(tx, account, false, clock());
    return true;
  });

/** Ends all sessions and notifies the owner. */
async function saveSwitch(tx: Transaction, account: Account, enabled: boolean, at: Date): Promise<Account> {
  const changed = withSessionsEnded(account);
  await saveChange(tx, account, changed, [secondFactorChanged(changed, enabled, at)]);
  await tx.audit({
    ...auditedAdmin(account),
    before: { secondFactor: !enabled },
    after: { secondFactor: enabled },
  });
  return changed;
}

/** Checks and uses up a code of the app or a recovery code. */
async function passes(
  parts: Pick<Parts, 'vault' | 'clock'>,
  db: Db,
  accountId: string,
  factor: KeptFactor,
  code: string,
): Promise<boolean> {
  if (digitsOf(code)) return passesByApp(parts, db, accountId, factor, code);
  return useRecoveryCode(db, accountId, parts.vault.fingerprint(accountId, plainRecoveryCode(code)));
}

async function passesByApp(
  { vault, clock }: Pick<Parts, 'vault' | 'clock'>,
  db: Db,
  accountId: string,
  factor: KeptFactor,
  code: string,
): Promise<boolean> {
  const digits = digitsOf(code);
  const secret = vault.open(accountId, factor.sealedSecret);
  const step = digits && (await stepOf(secret, digits, clock()));
  return typeof step === 'number' && useStep(db, accountId, step);
}
