import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import type { Count, Rule } from './counter.ts';

/** One limiter for each rule, made when it is first needed. */
export function limitersBy<Limiter>(open: (rule: Rule) => Limiter): (rule: Rule) => Limiter {
  const opened = new Map<string, Limiter>();
  return (rule) => {
    const limiter = opened.get(rule.name) ?? open(rule);
    opened.set(rule.name, limiter);
    return limiter;
  };
}

/** @throws what the limiter's store throws */
export async function countBy(limiter: RateLimiterAbstract, caller: string): Promise<Count> {
  try {
    return countOf(true, await limiter.consume(caller));
  } catch (thrown) {
    // The library's way to say that there were too many.
    if (thrown instanceof RateLimiterRes) return countOf(false, thrown);
    throw thrown;
  }
}

const countOf = (isAllowed: boolean, { remainingPoints, msBeforeNext }: RateLimiterRes): Count => ({
  isAllowed,
  remaining: remainingPoints,
  msLeft: msBeforeNext,
});
