import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { CallCounter } from './counter.ts';
import { countBy, limitersBy } from './limiters.ts';

/** Counts the calls of this process. */
export function openMemoryCounter(): CallCounter {
  const limiterOf = limitersBy(
    ({ max, windowSeconds }) => new RateLimiterMemory({ points: max, duration: windowSeconds }),
  );
  return {
    count: (rule, caller) => countBy(limiterOf(rule), caller),
    close: () => Promise.resolve(),
  };
}
