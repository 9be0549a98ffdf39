import { pathOf } from '@arboleda/contracts/endpoint.ts';
import { authEndpoints } from '@arboleda/contracts/endpoints/auth.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import type { ServiceName } from '@arboleda/contracts/services.ts';
import type { Logger } from '../log.ts';
import { fetchTwice } from './client.ts';
import { type ServiceKeys, signServiceToken } from './service-token.ts';

const EVERY_MS = 5_000;
const TIMEOUT_MS = 3_000;
/** Lifetime of a token (12 h) and an hour for clock skew: no older token is valid anyway. */
const KEPT_MS = 13 * 3_600_000;
/** A few dozen bytes each. */
const MAX_ACCOUNTS = 100_000;
const MAX_PAGES = 100;

/**
 * Sessions that ended before their tokens expired: logged out everywhere, password changed, account closed or
 * erased.
 */
export interface EndedSessions {
  /**
   * Whether a session of this version has ended. At most 5 s stale, longer only while auth is unavailable.
   * @param mustKnow asks auth now and never uses a stale answer. For admins, whose role may have been taken away.
   * @throws Problem `unavailable` when `mustKnow` is set and auth did not answer
   */
  has(accountId: string, tokenVersion: number, mustKnow?: boolean): Promise<boolean>;
}

interface Ended {
  tokenVersion: number;
  receivedAt: number;
}

/** Asks auth on demand, at most every 5 s, or now for `mustKnow`. While auth is unavailable the last answer is used. */
export function openEndedSessions(options: {
  authUrl: string;
  serviceKeys: ServiceKeys;
  service: ServiceName;
  logger?: Logger | undefined;
  /** Monotonic clock, in milliseconds. */
  now?: (() => number) | undefined;
}): EndedSessions {
  const { authUrl, serviceKeys, service, logger, now = () => performance.now() } = options;
  const url = new URL(pathOf('GET /internal/ended-sessions' satisfies keyof typeof authEndpoints), authUrl);
  const { response } = authEndpoints['GET /internal/ended-sessions'];
  const accounts = new Map<string, Ended>();
  let cursor: string | undefined;
  let askedAt = -Infinity;
  let asking: Promise<void> | undefined;
  let isUnavailable = false;

  async function askPage(): Promise<boolean> {
    const page = new URL(url);
    if (cursor !== undefined) page.searchParams.set('cursor', cursor);
    const headers = { Authorization: `Bearer ${await signServiceToken(serviceKeys.own, service, 'auth')}` };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const answer = await fetchTwice(page, { headers, signal });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`auth answered ${answer.status}`);
    const received = response.parse(JSON.parse(text));
    for (const { id, tokenVersion } of received.accounts) {
      accounts.delete(id);
      accounts.set(id, { tokenVersion, receivedAt: now() });
    }
    cursor = received.nextCursor;
    return received.more;
  }

  async function ask(): Promise<void> {
    for (let pages = 1; (await askPage()) && pages < MAX_PAGES; pages++);
    for (const [id, { receivedAt }] of accounts) {
      if (accounts.size <= MAX_ACCOUNTS && now() - receivedAt < KEPT_MS) break;
      accounts.delete(id);
    }
  }

  const poll = () => {
    askedAt = now();
    asking ??= ask()
      .then(
        () => void (isUnavailable = false),
        (failure: unknown) => {
          if (!isUnavailable) logger?.warn({ err: failure }, 'cannot ask auth which sessions have ended');
          isUnavailable = true;
        },
      )
      .finally(() => void (asking = undefined));
    return asking;
  };

  return {
    async has(accountId, tokenVersion, mustKnow = false) {
      if (mustKnow) {
        // The answer under way may have been read just before the session ended.
        await asking;
        await poll();
      } else {
        if (!asking && now() - askedAt >= EVERY_MS) void poll();
        if (!isUnavailable) await asking;
      }
      const ended = accounts.get(accountId);
      if (ended !== undefined && tokenVersion < ended.tokenVersion) return true;
      if (isUnavailable && mustKnow) throw new Problem('unavailable', { retryAfterSeconds: EVERY_MS / 1000 });
      return false;
    },
  };
}
