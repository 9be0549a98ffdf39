import {
  openAttemptLimit,
  sweepAttempts,
  takeAttempt as take,
  tooManyAttempts as tooMany,
} from '@arboleda/chassis/attempt-limits.ts';
import { networkOf } from '@arboleda/chassis/http/network.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { Problem } from '@arboleda/contracts/problems.ts';

const WINDOW_SECONDS = 900;

/**
 * Wrong passwords allowed in 15 minutes. The first limit stops one attacker without affecting the owner
 * elsewhere; the second one who tries many accounts; the third many who try one account. The last two do not
 * apply to networks from which the owner logged in before: many people share an address, and an attacker
 * there would lock them out.
 */
const FAILURES = { accountAndNetwork: 10, network: 100, account: 100 };
/**
 * Wrong second-factor codes per hour, per network and in total. Few, as the caller has the password already
 * and codes are short. The total does not apply to networks from which the owner logged in before.
 */
const CODES_PER_HOUR = 20;
const MAILS_PER_HOUR = 5;
const RESET_REQUESTS_PER_HOUR = 30;

export interface Tried {
  /** The role and login as typed; the account's id for a logged-in person. */
  login: string;
  /** Absent for an unknown account. */
  accountId?: string | undefined;
  /** A token identifies them, so attempts of others on their network do not count. */
  isLoggedIn?: boolean;
}

/** A login attempt, counted before the password is checked, so that concurrent attempts count too. */
export interface Attempt {
  /** @returns the error to throw: the refusal, or `too-many-requests` */
  failed(refusal: Problem): Problem;
  /** Neither failed nor succeeded: reverts the count, keeps earlier failures. */
  withdrawn(): Promise<void>;
  /** Clears the failures of this account from this network. */
  succeeded(accountId: string): Promise<void>;
}

/** An attempt at a second-factor code, counted before it is checked. */
export interface CodeAttempt {
  succeeded(): Promise<void>;
  /** The code was not checked. */
  withdrawn(): Promise<void>;
}

export interface Attempts {
  /**
   * Counts by what was typed, so that the limit reveals neither which accounts exist nor which code has which
   * address.
   * @throws Problem `too-many-requests`
   */
  begin(who: Tried, address: string): Promise<Attempt>;
  /** @throws Problem `too-many-requests` */
  beginCode(accountId: string, address: string): Promise<CodeAttempt>;
  /** Limits emails to an account. @throws Problem `too-many-requests` */
  countMail(accountId: string): Promise<void>;
  /**
   * Limits requests for password resets by network. @throws Problem `too-many-requests`, whether the account
   * exists or not
   */
  countResetRequest(address: string): Promise<void>;
  /** @returns false when the account received its share of reset emails recently */
  mayMailReset(accountId: string): Promise<boolean>;
  /** Deletes expired counters. @returns how many */
  sweepCounters(now: Date, limit: number): Promise<number>;
  /** Deletes networks without a login since then. @returns how many */
  sweepNetworks(before: Date, limit: number): Promise<number>;
}

/**
 * Counters in PostgreSQL, shared by replicas and kept over restarts.
 * @param digest keyed hash for logins and addresses
 */
export function openAttempts(sql: Sql, digest: (text: string) => string): Attempts {
  const limiter = (keyPrefix: string, max: number, windowSeconds: number) =>
    openAttemptLimit(sql, keyPrefix, { max, windowSeconds });
  const pairs = limiter('account-network', FAILURES.accountAndNetwork, WINDOW_SECONDS);
  const networks = limiter('network', FAILURES.network, WINDOW_SECONDS);
  const accounts = limiter('account', FAILURES.account, WINDOW_SECONDS);
  const codePairs = limiter('code-network', CODES_PER_HOUR, 3600);
  const codes = limiter('code', CODES_PER_HOUR, 3600);
  const mails = limiter('mail', MAILS_PER_HOUR, 3600);
  const resets = limiter('reset', RESET_REQUESTS_PER_HOUR, 3600);
  const resetMails = limiter('reset-mail', MAILS_PER_HOUR, 3600);

  return {
    async begin({ login, accountId, isLoggedIn = false }, address) {
      const account = digest(login.toLowerCase());
      const network = digest(networkOf(address));
      const pair = `${account}:${network}`;
      const unlessKnown = async (refused: unknown) => {
        if (!accountId || !(await isKnown(sql, accountId, network))) throw refused;
      };
      if (!isLoggedIn) await take(networks, network).catch(unlessKnown);
      const { remainingPoints, msBeforeNext } = await take(pairs, pair);
      await take(accounts, account).catch(unlessKnown);
      const giveBack = async (key: string) => void (isLoggedIn || (await networks.reward(key)));
      return {
        failed: (refusal) => (remainingPoints === 0 ? tooMany(msBeforeNext) : refusal),
        async withdrawn() {
          await Promise.all([pairs.reward(pair), giveBack(network), accounts.reward(account)]);
        },
        async succeeded(accountId) {
          await Promise.all([
            pairs.delete(pair),
            giveBack(network),
            accounts.reward(account),
            remember(sql, accountId, network),
          ]);
        },
      };
    },
    async beginCode(accountId, address) {
      const network = digest(networkOf(address));
      const pair = `${accountId}:${network}`;
      await take(codePairs, pair);
      await take(codes, accountId).catch(async (refused: unknown) => {
        if (!(await isKnown(sql, accountId, network))) throw refused;
      });
      return {
        async succeeded() {
          await Promise.all([codePairs.delete(pair), codes.delete(accountId)]);
        },
        async withdrawn() {
          await Promise.all([codePairs.reward(pair), codes.reward(accountId)]);
        },
      };
    },
    async countMail(accountId) {
      await take(mails, accountId);
    },
    async countResetRequest(address) {
      await take(resets, digest(networkOf(address)));
    },
    mayMailReset: (accountId) =>
      take(resetMails, accountId).then(
        () => true,
        (refused: unknown) => {
          if (refused instanceof Problem) return false;
          throw refused;
        },
      ),
    sweepCounters: (now, limit) => sweepAttempts(sql, now, limit),
    sweepNetworks: (before, limit) =>
      removed(
        sql,
        `delete from known_networks where ctid in (
           select ctid from known_networks where seen_at < $1 order by seen_at limit $2)`,
        [before, limit],
      ),
  };
}

const removed = async (sql: Sql, statement: string, values: readonly unknown[]): Promise<number> =>
  (await sql.query(statement, values)).rowCount ?? 0;

async function isKnown(sql: Sql, accountId: string, networkHash: string): Promise<boolean> {
  const { rowCount } = await sql.query(
    'select from known_networks where account_id = $1 and network_hash = $2',
    [accountId, networkHash],
  );
  return rowCount === 1;
}

const FOREIGN_KEY_VIOLATION = '23503';

async function remember(sql: Sql, accountId: string, networkHash: string): Promise<void> {
  await sql
    .query(
      `insert into known_networks (account_id, network_hash, seen_at) values ($1, $2, now())
       on conflict (account_id, network_hash) do update set seen_at = now()`,
      [accountId, networkHash],
    )
    .catch((thrown: { code?: string }) => {
      // The account was deleted meanwhile, so nothing may be recorded about it.
      if (thrown.code !== FOREIGN_KEY_VIOLATION) throw thrown;
    });
}
