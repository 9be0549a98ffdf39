import type { Person } from '@arboleda/chassis/http/identity.ts';
import type { Sql, Transaction } from '@arboleda/chassis/ports/sql.ts';
import { fieldProblem, Problem } from '@arboleda/contracts/problems.ts';
import type { Attempts } from '../sessions/attempts.ts';
import { lockCurrent, type SecondFactorCheck, type Sessions } from '../sessions/sessions.ts';
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
type Parts = { sql: Sql; vault: Vault; clock: () => Date };

/** An admin's own second factor. Codes that are shown count as log-ins do: Problem `too-many-requests`. */
export interface SecondFactors {
  status(person: Person): Promise<{ enabled: boolean; recoveryCodesLeft: number }>;
  /** The secret is answered here and never again. @throws Problem `second-factor-on`, `second-factor-unavailable` */
  begin(person: Person): Promise<{ secret: string; otpauthUrl: string }>;
  /** @returns recovery codes. @throws Problem `second-factor-on`, `second-factor-off`; `validation-failed` of `code` */
  confirm(person: Person, code: string, address: string): Promise<string[]>;
  /** @throws Problem `second-factor-off`; `validation-failed` of `code` or `currentPassword` */
  disable(person: Person, shown: { currentPassword: string; code: string }, address: string): Promise<void>;
  /** @returns codes in the place of all before. @throws Problem `second-factor-off`; `validation-failed` of `code` */
  renewCodes(person: Person, code: string, address: string): Promise<string[]>;
}

/** For log-in. A code is used up by it, at most once however many try at a time. */
export const openSecondFactorCheck =
  (parts: Parts): SecondFactorCheck =>
  async ({ id, role }, code) => {
    if (role !== 'admin') return 'passed';
    const factor = await factorOf(parts.sql, id);
    if (!factor?.confirmed) return 'passed';
    if (code === undefined) return 'required';
    return (await passes(parts, parts.sql, id, factor, code)) ? 'passed' : 'invalid';
  };

export function openSecondFactors(parts: Parts & { sessions: Sessions; attempts: Attempts }): SecondFactors {
  const { sql, vault, sessions, attempts } = parts;

  /** What a code opens, in one transaction with what uses it up. */
  async function withCode<T>(
    person: Person,
    address: string,
    open: (tx: Transaction, factor: KeptFactor | undefined) => Promise<T | 'wrong'>,
  ): Promise<T> {
    const attempt = await attempts.begin(person.id, address);
    const outcome = await sql
      .transaction(async (tx) => {
        await lockCurrent(tx, person);
        return open(tx, await factorOf(tx, person.id, 'for update'));
      })
      .catch(async (refused: unknown) => {
        await attempt.withdrawn();
        throw refused;
      });
    if (outcome === 'wrong') throw attempt.failed(fieldProblem('code', 'second-factor-invalid'));
    await attempt.succeeded(person.id);
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

    begin: (person) =>
      sql.transaction(async (tx) => {
        const { id, email } = await lockCurrent(tx, person);
        const secret = newSecret();
        if (!(await beginFactor(tx, id, vault.seal(id, secret)))) throw new Problem('second-factor-on');
        return { secret, otpauthUrl: otpauthUrl(secret, email) };
      }),

    confirm: (person, code, address) =>
      withCode(person, address, async (tx, factor) => {
        if (!factor) throw new Problem('second-factor-off');
        if (factor.confirmed) throw new Problem('second-factor-on');
        if (!(await passesByApp(parts, tx, person.id, factor, code))) return 'wrong';
        await confirmFactor(tx, person.id);
        return freshCodes(tx, person.id);
      }),

    async disable(person, { currentPassword, code }, address) {
      await sessions.confirmed(person, currentPassword, address);
      await withCode(person, address, async (tx, factor) => {
        if (!factor?.confirmed) throw new Problem('second-factor-off');
        if (!(await passes(parts, tx, person.id, factor, code))) return 'wrong';
        return removeFactor(tx, person.id);
      });
    },

    renewCodes: (person, code, address) =>
      withCode(person, address, async (tx, factor) => {
        if (!factor?.confirmed) throw new Problem('second-factor-off');
        if (!(await passes(parts, tx, person.id, factor, code))) return 'wrong';
        return freshCodes(tx, person.id);
      }),
  };
}

/** A code of the app, or a recovery code; used up when it passes. */
async function passes(
  parts: Parts,
  db: Db,
  accountId: string,
  factor: KeptFactor,
  code: string,
): Promise<boolean> {
  if (digitsOf(code)) return passesByApp(parts, db, accountId, factor, code);
  return useRecoveryCode(db, accountId, parts.vault.fingerprint(accountId, plainRecoveryCode(code)));
}

async function passesByApp(
  { vault, clock }: Parts,
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
