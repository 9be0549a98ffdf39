import { networkOf } from '@arboleda/chassis/http/network.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import type { Route } from '../api/routes.ts';
import type { GatewayLimits } from '../config.ts';
import { type CallCounter, type Count, openMemoryCounter, type Rule } from './counters.ts';

/**
 * Counts a call of an address. Resolves with the RateLimit headers, alternating names and values.
 * @throws RateLimited when the limit is exceeded
 */
export type RateLimits = (address: string, route: Route | undefined) => Promise<readonly string[]>;

export class RateLimited extends Problem {
  readonly headers: readonly string[];
  constructor(headers: readonly string[], retryAfterSeconds: number) {
    super('too-many-requests', { retryAfterSeconds });
    this.headers = headers;
  }
}

const GENERAL_WINDOW_SECONDS = 60;

/**
 * Limits by address: an endpoint's own limit, or the general one shared by all others.
 * @param declared counts declared limits. Flood limits are counted per process: see docs/decisions/11
 */
export function openRateLimits(
  limits: Pick<GatewayLimits, 'callsPerMinute' | 'rateScale'>,
  declared: CallCounter,
): RateLimits {
  if (limits.rateScale === 0) return () => Promise.resolve([]);
  const scaled = (max: number) => Math.max(1, Math.floor(max * limits.rateScale));
  const own = openMemoryCounter();
  const general: Rule = {
    name: 'general',
    max: scaled(limits.callsPerMinute),
    windowSeconds: GENERAL_WINDOW_SECONDS,
  };
  return async (address, route) => {
    const rule: Rule = route?.limit
      ? { name: route.key, max: scaled(route.limit.max), windowSeconds: route.limit.windowSeconds }
      : general;
    const isGuard = !route?.limit || route.isPhoto;
    const count = await (isGuard ? own : declared).count(rule, networkOf(address));
    if (count.isAllowed) return headersOf(rule, count);
    throw new RateLimited(headersOf(rule, count), seconds(count));
  };
}

const seconds = ({ msLeft }: Count) => Math.max(1, Math.ceil(msLeft / 1000));

/** https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-07 */
const headersOf = (rule: Rule, count: Count): string[] => [
  'RateLimit-Policy',
  `${rule.max};w=${rule.windowSeconds}`,
  'RateLimit-Limit',
  String(rule.max),
  'RateLimit-Remaining',
  String(count.remaining),
  'RateLimit-Reset',
  String(seconds(count)),
];
