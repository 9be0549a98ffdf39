import { networkOf } from '@arboleda/chassis/http/network.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';

const WINDOW_SECONDS = 900;

/**
 * Wrong passwords allowed in 15 minutes. The first holds off a guesser without touching the owner, who comes from
 * elsewhere; the second one who tries many accounts; the third many who try one account. The last two do not apply
 * where the owner logged in before: many people share an address, and whoever guesses from it would lock them out.
 */
const FAILURES = { accountAndNetwork: 10, network: 100, account: 100 };
/**
 * Wrong codes of a second factor in an hour, from one network and from all: who shows them has the password already, and
 * six digits are few. The second does not apply where the owner logged in before.
 */
const CODES_PER_HOUR = 20;
const MAILS_PER_HOUR = 5;
const RESET_REQUESTS_PER_HOUR = 30;

/** Whose password is tried. */
export interface Tried {
  /** What was typed, with the role; an account's id for who is logged in. */
  login: string;
  /** Absent when there is no such account. */
  accountId?: string | undefined;
  /** Their token proves who they are: what others behind their address do is not theirs. */
  isLoggedIn?: boolean;
}

/** One log-in that is being tried; counted before the password is looked at, so that many at once are counted too. */
export interface Attempt {
  /** @returns what is to be thrown: the refusal, or that it was one time too many. */
  failed(refusal: Problem): Problem;
  /** Neither failed nor succeeded: what was counted is taken back, what failed before stays. */
  withdrawn(): Promise<void>;
  /** Forgets the failures of this account from here. */
  succeeded(accountId: string): Promise<void>;
}

/** One code of a second factor that is being tried; counted before it is looked at. */
export interface CodeAttempt {
  /** Forgets the wrong ones before. */
  succeeded(): Promise<void>;
  /** It was not looked at. */
  withdrawn(): Promise<void>;
}

export interface Attempts {
  /**
   * Counted by what was typed, so that nobody learns that a code and an address are one account's, or that there is one.
   * @throws Problem `too-many-requests`
   */
  begin(who: Tried, address: string): Promise<Attempt>;
  /** Trying a code of a second factor. @throws Problem `too-many-requests` */
  beginCode(accountId: string, address: string): Promise<CodeAttempt>;
  /** Asking for a mail. @throws Problem `too-many-requests` */
  countMail(accountId: string): Promise<void>;
  /** Asking for somebody's password to be reset. @throws Problem `too-many-requests`, whoever it was about */
  countResetRequest(address: string): Promise<void>;
  /** @returns false when so many reset mails went to this account lately that another would only be a nuisance. */
  mayMailReset(accountId: string): Promise<boolean>;
  /** Clears counts that no longer count. @returns how many */
  sweepCounters(now: Date, limit: number): Promise<number>;
  /** Forgets where accounts were logged into before then, and not since. @returns how many */
  sweepNetworks(before: Date, limit: number): Promise<number>;
}

/**
 * Counters in PostgreSQL, so that they hold across replicas and restarts.
 * @param digest hashes what was typed and from where, by a secret
 */
export function openAttempts(sql: Sql, digest: (text: string) => string): Attempts {
  const limiter = (keyPrefix: string, points: number, duration: number) =>
    new RateLimiterPostgres({
      storeClient: {
        query: ({ text, values }: { text: string; values: unknown[] }) => sql.query(text, values),
      },
      storeType: 'client',
      tableName: 'rate_limits',
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix,
      points,
      duration,
    });
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
    sweepCounters: (now, limit) =>
      removed(
        sql,
        `delete from rate_limits where key in (
           select key from rate_limits where expire < $1 order by expire limit $2)`,
        [now.getTime(), limit],
      ),
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

async function take(limiter: RateLimiterPostgres, key: string): Promise<RateLimiterRes> {
  return limiter.consume(key).catch((refused: unknown) => {
    throw refused instanceof RateLimiterRes ? tooMany(refused.msBeforeNext) : refused;
  });
}

const tooMany = (waitMs: number): Problem =>
  new Problem('too-many-requests', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) });

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
      // The account was deleted meanwhile: nothing is left to be remembered of it.
      if (thrown.code !== FOREIGN_KEY_VIOLATION) throw thrown;
    });
}
