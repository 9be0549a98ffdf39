import { Problem } from '@arboleda/contracts/problems.ts';
import type { OutgoingHttpHeaders } from 'node:http';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { callerKey } from '../caller/address.ts';
import type { GatewayLimits } from '../config.ts';
import type { Route } from './routes.ts';

/**
 * Counts a call of an address. Resolves with the RateLimit headers of its answer.
 * @throws RateLimited when there were too many.
 */
export type RateLimits = (address: string, route: Route | undefined) => Promise<OutgoingHttpHeaders>;

export class RateLimited extends Problem {
  readonly headers: OutgoingHttpHeaders;
  constructor(headers: OutgoingHttpHeaders, retryAfterSeconds: number) {
    super('too-many-requests', { retryAfterSeconds });
    this.headers = headers;
  }
}

const GENERAL_WINDOW_SECONDS = 60;

/** Limits by address: an endpoint's own when it declares one, the general one for all the others together. */
export function openRateLimits(limits: Pick<GatewayLimits, 'callsPerMinute' | 'rateScale'>): RateLimits {
  if (limits.rateScale === 0) return () => Promise.resolve({});
  const open = (max: number, windowSeconds: number) =>
    new RateLimiterMemory({
      points: Math.max(1, Math.floor(max * limits.rateScale)),
      duration: windowSeconds,
    });
  const general = open(limits.callsPerMinute, GENERAL_WINDOW_SECONDS);
  const own = new Map<string, RateLimiterMemory>();
  const limiterOf = ({ key, limit }: Route) => {
    if (!limit) return general;
    const limiter = own.get(key) ?? open(limit.max, limit.windowSeconds);
    own.set(key, limiter);
    return limiter;
  };
  return async (address, route) => {
    const limiter = route ? limiterOf(route) : general;
    try {
      return headersOf(limiter, await limiter.consume(callerKey(address)));
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw new RateLimited(headersOf(limiter, refusal), seconds(refusal));
    }
  };
}

const seconds = (result: RateLimiterRes) => Math.max(1, Math.ceil(result.msBeforeNext / 1000));

/** https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-07 */
const headersOf = (limiter: RateLimiterMemory, result: RateLimiterRes): OutgoingHttpHeaders => ({
  'RateLimit-Policy': `${limiter.points};w=${limiter.duration}`,
  'RateLimit-Limit': limiter.points,
  'RateLimit-Remaining': result.remainingPoints,
  'RateLimit-Reset': seconds(result),
});
